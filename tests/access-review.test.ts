import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccessReview, InvitationLink } from '@/lib/operations/people'
import { type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

const path = '/api/sandbox/desk/people'

let desk: WholeDesk
let admin: Person

beforeAll(async () => {
  desk = await openSharedDesk()
  admin = await desk.signIn('admin')
})
afterAll(() => desk?.stop())

const toJsonInit = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const invite = async (name: string, email: string) => {
  const grants = [{ role: 'viewer', environment: 'sandbox', account: null, expires_at: null }]
  return (await admin.ask<InvitationLink>('POST', path, toJsonInit({ name, email, grants }))).body.data?.id ?? ''
}
const fetchReview = (format: string, person = admin) => person.send(`${path}/access-review?format=${format}`)

test('the access review lists all people and grants, marks expired and unused ones, and escapes formulas', async () => {
  const id = await invite('=HYPERLINK("http://company.test")', 'formula@company.test')
  const invitedPerson = await invite('Bare', 'bare@company.test')
  await desk.db.query(`update grants set expires_at = now() - interval '1 day' where person_id = $1`, [id])
  await desk.db.query(`update people set created_at = now() - interval '91 days' where id = $1`, [id])
  await desk.db.query('delete from grants where person_id = $1', [invitedPerson])

  const response = await fetchReview('json')
  expect([response.status, response.headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/access-review-.*\.json"$/)])
  const { people } = (await response.json()) as AccessReview
  expect(people.find((person) => person.id === id)).toMatchObject({
    state: 'invited',
    signs_in_by: [],
    unused_90_days: true,
    last_seen_at: null,
    grants: [{ role: 'viewer', environment: 'sandbox', account: null, expired: true, granted_by: 'Dana Admin' }],
  })
  expect(people.find(({ email }) => email === 'admin@paydesk.test')).toMatchObject({ signs_in_by: ['password'], unused_90_days: false })

  const text = await (await fetchReview('csv')).text()
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^person_id,name,email,.*,granted_at_utc$/)
  const findLine = (person: string) => lines.find((line) => line.startsWith(person)) ?? ''
  expect(findLine(id)).toContain(`"'=HYPERLINK(""http://company.test"")",formula@company.test,invited,nothing yet,0,no,`)
  expect(findLine(id)).toMatch(/,never,yes,viewer,sandbox,the whole platform,[^,]+,yes,Dana Admin,/)
  expect(findLine(invitedPerson)).toMatch(/,never,no,none,,,,,,$/)
  expect(lines).toHaveLength(1 + people.reduce((sum, { grants }) => sum + Math.max(1, grants.length), 0))

  const { rows: audit } = await desk.db.query<{ body: string }>('select body from audit')
  const reviewRows = audit.map(({ body }) => JSON.parse(body)).filter(({ code }) => code === 'people.access_review.applied')
  expect(reviewRows.map(({ written }) => written)).toEqual([people.length, people.length])
})

test('only an admin of the whole platform can export it, after a step-up, in a known format', async () => {
  for (const role of ['operator', 'reviewer', 'viewer'] as const)
    expect((await fetchReview('csv', await desk.signIn(role))).status).toBe(403)
  expect((await fetchReview('xml')).status).toBe(422)
  const { send } = await signIn(desk.dashboard.url, 'admin', { confirms: false })
  const response = await send(`${path}/access-review?format=csv`)
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('step_up_needed')])
})

test('a refused change of a person is audited with that person as its target', async () => {
  const id = await invite('Target', 'target@company.test')
  const operator = await desk.signIn('operator')
  expect((await operator.ask('POST', `${path}/${id}/deactivate`, toJsonInit({}))).status).toBe(403)
  const { rows } = await desk.db.query<{ body: string }>('select body from audit')
  const deniedRows = rows.map(({ body }) => JSON.parse(body)).filter(({ code }) => code === 'people.deactivate.denied')
  expect(deniedRows.map(({ target }) => target)).toEqual([`people/${id}`])
})
