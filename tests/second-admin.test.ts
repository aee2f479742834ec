import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PersonDetail, PersonView } from '@/lib/operations/people'
import { notificationsPath } from '@/lib/routes'
import { type Person, signIn } from './harness/person'
import { confirmRoles } from './harness/second-admin'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

const path = '/api/sandbox/desk/people'
const operator = { role: 'operator', environment: 'sandbox', account: null, expires_at: null }

let desk: WholeDesk
let admin: Person
let secondAdmin: Person
let viewer: Person
let viewerId: string

beforeAll(async () => {
  desk = await openSharedDesk()
  admin = await desk.signIn('admin')
  secondAdmin = await signIn(desk.dashboard.url, 'admin2@paydesk.test')
  viewer = await desk.signIn('viewer')
  viewerId = await findPersonId('viewer@paydesk.test')
})
beforeEach(() =>
  desk.db.query(
    "delete from grant_requests; delete from grants where person_id in (select id from people where email = 'viewer@paydesk.test') and role <> 'viewer'",
  ),
)
afterAll(() => desk?.stop())

const toJsonInit = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const findPersonId = async (email: string) =>
  (await admin.get<PersonView[]>(path)).body.data?.find((person) => person.email === email)?.id ?? ''
const grantRole = (role = 'operator', by = admin) => by.post<PersonDetail>(`${path}/${viewerId}/grants`, toJsonInit({ ...operator, role }))
const decideGrant = (by: Person, request: string, decision: 'confirm' | 'reject') =>
  by.post<PersonDetail>(`${path}/${viewerId}/grant-requests/${request}/${decision}`, toJsonInit({}))

/** Requests the role operator for the person. Returns the id of the request, which another admin must confirm. */
const requestOperatorRole = async () => (await grantRole()).body.data?.grant_requests[0]?.id ?? ''

async function withDisabledPerson<T>(email: string, run: () => Promise<T>): Promise<T> {
  await desk.db.query('update people set disabled_at = now() where email = $1', [email])
  try {
    return await run()
  } finally {
    await desk.db.query('update people set disabled_at = null where email = $1', [email])
  }
}

test('a role that can approve waits for another admin, and the grant is by the first admin', async () => {
  const grantReply = await grantRole()
  expect(grantReply.body.data).toMatchObject({ grants: [{ role: 'viewer' }], grant_requests: [{ role: 'operator', own: true }] })
  const request = grantReply.body.data?.grant_requests[0]?.id ?? ''
  const confirmReply = await decideGrant(admin, request, 'confirm')
  expect([confirmReply.status, confirmReply.body.error?.detail]).toEqual([403, 'You granted this role: another admin must confirm it.'])
  expect((await decideGrant(viewer, request, 'confirm')).status).toBe(403)
  expect(await confirmRoles(desk.dashboard.url, viewerId, [request])).toMatchObject({
    grants: [{ role: 'operator', granted_by: 'Dana Admin' }, { role: 'viewer' }],
    grant_requests: [],
  })
  expect((await decideGrant(secondAdmin, request, 'confirm')).status).toBe(409)
  const rows = (await desk.db.query<{ body: string }>('select body from audit order by seq')).rows.map(({ body }) => JSON.parse(body))
  expect(rows.filter(({ subject }) => subject === viewerId).map(({ code, role }) => [code, role])).toEqual(
    expect.arrayContaining([
      ['people.grant.asked', 'operator'],
      ['people.confirm_grant.applied', 'operator'],
    ]),
  )
})

test('a role is requested once, can be withdrawn or rejected, and the other admin is notified', async () => {
  await grantRole()
  const secondReply = await grantRole()
  expect(secondReply.body.data?.grant_requests).toHaveLength(1)
  const [request] = secondReply.body.data?.grant_requests ?? []
  expect((await decideGrant(admin, request?.id ?? '', 'reject')).body.data).toMatchObject({
    grants: [{ role: 'viewer' }],
    grant_requests: [],
  })
  await grantRole()
  expect((await (await secondAdmin.send(notificationsPath('sandbox'))).text()).includes('1 role to confirm')).toBe(true)
})

test('a single admin grants a role alone, and the other admins are notified later', async () => {
  const granted = await withDisabledPerson('admin2@paydesk.test', () => grantRole('reviewer'))
  expect(granted.body.data?.grants).toMatchObject([{ role: 'reviewer' }, { role: 'viewer' }])
  const laterSession = await signIn(desk.dashboard.url, 'admin2@paydesk.test')
  expect((await (await laterSession.send(notificationsPath('sandbox'))).text()).includes('granted within 24 hours')).toBe(true)
})

test('a role cannot be confirmed if its granter is no longer an admin', async () => {
  const request = await requestOperatorRole()
  const lostReply = await withDisabledPerson('admin@paydesk.test', () => decideGrant(secondAdmin, request, 'confirm'))
  expect([lostReply.status, lostReply.body.error?.detail]).toEqual([403, expect.stringMatching(/no longer holds it/)])
  expect((await decideGrant(secondAdmin, request, 'reject')).status).toBe(200)
})

test('a role that cannot approve is granted at once', async () => {
  const granted = await admin.post<PersonDetail>(`${path}/${viewerId}/grants`, toJsonInit({ ...operator, role: 'viewer' }))
  expect(granted.body.data).toMatchObject({ grants: [{ role: 'viewer' }], grant_requests: [] })
})
