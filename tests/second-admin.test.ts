import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PersonDetail, PersonView } from '@/lib/operations/people'
import { notificationsPath } from '@/lib/routes'
import { type Person, signIn } from './harness/person'
import { confirmGrantRequests } from './harness/second-admin'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

const peoplePath = '/api/sandbox/desk/people'
const operatorGrant = { role: 'operator', environment: 'sandbox', account: null, expires_at: null }

let testStack: WholeDesk
let admin: Person
let secondAdmin: Person
let viewer: Person
let viewerId: string

beforeAll(async () => {
  testStack = await openSharedDesk()
  admin = await testStack.signIn('admin')
  secondAdmin = await signIn(testStack.dashboard.url, 'admin2@paydesk.test')
  viewer = await testStack.signIn('viewer')
  viewerId = await findPersonId('viewer@paydesk.test')
})
beforeEach(() =>
  testStack.db.query(
    "delete from grant_requests; delete from grants where person_id in (select id from people where email = 'viewer@paydesk.test') and role <> 'viewer'",
  ),
)
afterAll(() => testStack?.stop())

const toJsonInit = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const findPersonId = async (email: string) =>
  (await admin.get<PersonView[]>(peoplePath)).body.data?.find((person) => person.email === email)
    ?.id ?? ''
const grantRole = (role = 'operator', by = admin) =>
  by.post<PersonDetail>(`${peoplePath}/${viewerId}/grants`, toJsonInit({ ...operatorGrant, role }))
const decideGrantRequest = (decider: Person, requestId: string, decision: 'confirm' | 'reject') =>
  decider.post<PersonDetail>(
    `${peoplePath}/${viewerId}/grant-requests/${requestId}/${decision}`,
    toJsonInit({}),
  )

/**
 * Requests the role operator for the viewer. Returns the id of the request, which another admin
 * must confirm.
 */
const requestOperatorRole = async () => (await grantRole()).body.data?.grant_requests[0]?.id ?? ''

async function withDisabledPerson<T>(email: string, run: () => Promise<T>): Promise<T> {
  await testStack.db.query('update people set disabled_at = now() where email = $1', [email])
  try {
    return await run()
  } finally {
    await testStack.db.query('update people set disabled_at = null where email = $1', [email])
  }
}

test('a role that can approve waits for another admin, and the grant is by the first admin', async () => {
  const grantReply = await grantRole()
  expect(grantReply.body.data).toMatchObject({
    grants: [{ role: 'viewer' }],
    grant_requests: [{ role: 'operator', own: true }],
  })
  const requestId = grantReply.body.data?.grant_requests[0]?.id ?? ''
  const confirmReply = await decideGrantRequest(admin, requestId, 'confirm')
  expect([confirmReply.status, confirmReply.body.error?.detail]).toEqual([
    403,
    'You granted this role: another admin must confirm it.',
  ])
  expect((await decideGrantRequest(viewer, requestId, 'confirm')).status).toBe(403)
  expect(await confirmGrantRequests(testStack.dashboard.url, viewerId, [requestId])).toMatchObject({
    grants: [{ role: 'operator', granted_by: 'Dana Admin' }, { role: 'viewer' }],
    grant_requests: [],
  })
  expect((await decideGrantRequest(secondAdmin, requestId, 'confirm')).status).toBe(409)
  const auditRows = (
    await testStack.db.query<{ body: string }>('select body from audit order by seq')
  ).rows.map(({ body }) => JSON.parse(body))
  expect(
    auditRows.filter(({ subject }) => subject === viewerId).map(({ code, role }) => [code, role]),
  ).toEqual(
    expect.arrayContaining([
      ['people.grant.asked', 'operator'],
      ['people.confirm_grant.applied', 'operator'],
    ]),
  )
})

test('a role is requested once, can be withdrawn or rejected, and the other admin is notified', async () => {
  await grantRole()
  const secondGrantReply = await grantRole()
  expect(secondGrantReply.body.data?.grant_requests).toHaveLength(1)
  const [request] = secondGrantReply.body.data?.grant_requests ?? []
  expect((await decideGrantRequest(admin, request?.id ?? '', 'reject')).body.data).toMatchObject({
    grants: [{ role: 'viewer' }],
    grant_requests: [],
  })
  await grantRole()
  expect(
    (await (await secondAdmin.send(notificationsPath('sandbox'))).text()).includes(
      '1 role to confirm',
    ),
  ).toBe(true)
})

test('a single admin grants a role alone, and the other admins are notified later', async () => {
  const singleAdminGrantReply = await withDisabledPerson('admin2@paydesk.test', () =>
    grantRole('reviewer'),
  )
  expect(singleAdminGrantReply.body.data?.grants).toMatchObject([
    { role: 'reviewer' },
    { role: 'viewer' },
  ])
  const laterSession = await signIn(testStack.dashboard.url, 'admin2@paydesk.test')
  expect(
    (await (await laterSession.send(notificationsPath('sandbox'))).text()).includes(
      'granted in the last 24 hours',
    ),
  ).toBe(true)
})

test('a role cannot be confirmed if its granter is no longer an admin', async () => {
  const grantRequestId = await requestOperatorRole()
  const disabledGranterReply = await withDisabledPerson('admin@paydesk.test', () =>
    decideGrantRequest(secondAdmin, grantRequestId, 'confirm'),
  )
  expect([disabledGranterReply.status, disabledGranterReply.body.error?.detail]).toEqual([
    403,
    expect.stringMatching(/no longer holds it/),
  ])
  expect((await decideGrantRequest(secondAdmin, grantRequestId, 'reject')).status).toBe(200)
})

test('a role that cannot approve is granted at once', async () => {
  const viewerGrantReply = await admin.post<PersonDetail>(
    `${peoplePath}/${viewerId}/grants`,
    toJsonInit({ ...operatorGrant, role: 'viewer' }),
  )
  expect(viewerGrantReply.body.data).toMatchObject({
    grants: [{ role: 'viewer' }],
    grant_requests: [],
  })
})
