import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccessReview, InvitationLink } from '@/lib/operations/people'
import { type Person, signIn } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

const peoplePath = '/api/sandbox/desk/people'

let testStack: WholeDesk
let admin: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const toJsonInit = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const invitePerson = async (name: string, email: string) => {
  const viewerGrants = [{ role: 'viewer', environment: 'sandbox', account: null, expires_at: null }]
  return (
    (
      await admin.ask<InvitationLink>(
        'POST',
        peoplePath,
        toJsonInit({ name, email, grants: viewerGrants }),
      )
    ).body.data?.id ?? ''
  )
}
const fetchAccessReview = (format: string, person = admin) =>
  person.send(`${peoplePath}/access-review?format=${format}`)

test('the access review lists all people and grants, marks expired and unused ones, and escapes formulas', async () => {
  const id = await invitePerson('=HYPERLINK("http://company.test")', 'formula@company.test')
  const invitedPersonId = await invitePerson('Bare', 'bare@company.test')
  await testStack.db.query(
    `update grants set expires_at = now() - interval '1 day' where person_id = $1`,
    [id],
  )
  await testStack.db.query(
    `update people set created_at = now() - interval '91 days' where id = $1`,
    [id],
  )
  await testStack.db.query('delete from grants where person_id = $1', [invitedPersonId])

  const response = await fetchAccessReview('json')
  expect([response.status, response.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringMatching(/access-review-.*\.json"$/),
  ])
  const { people } = (await response.json()) as AccessReview
  expect(people.find((person) => person.id === id)).toMatchObject({
    state: 'invited',
    signs_in_by: [],
    unused_90_days: true,
    last_seen_at: null,
    grants: [
      {
        role: 'viewer',
        environment: 'sandbox',
        account: null,
        expired: true,
        granted_by: 'Dana Admin',
      },
    ],
  })
  expect(people.find(({ email }) => email === 'admin@paydesk.test')).toMatchObject({
    signs_in_by: ['password'],
    unused_90_days: false,
  })

  const text = await (await fetchAccessReview('csv')).text()
  const csvLines = text.trimEnd().split('\r\n')
  expect(csvLines[0]).toMatch(/^person_id,name,email,.*,granted_at_utc$/)
  const findCsvLine = (personId: string) => csvLines.find((line) => line.startsWith(personId)) ?? ''
  expect(findCsvLine(id)).toContain(
    `"'=HYPERLINK(""http://company.test"")",formula@company.test,invited,nothing yet,0,no,`,
  )
  expect(findCsvLine(id)).toMatch(
    /,never,yes,viewer,sandbox,the whole platform,[^,]+,yes,Dana Admin,/,
  )
  expect(findCsvLine(invitedPersonId)).toMatch(/,never,no,none,,,,,,$/)
  expect(csvLines).toHaveLength(
    1 + people.reduce((sum, { grants }) => sum + Math.max(1, grants.length), 0),
  )

  const { rows: audit } = await testStack.db.query<{ body: string }>('select body from audit')
  const accessReviewRows = audit
    .map(({ body }) => JSON.parse(body))
    .filter(({ code }) => code === 'people.access_review.applied')
  expect(accessReviewRows.map(({ written }) => written)).toEqual([people.length, people.length])
})

test('only an admin of the whole platform can export it, after a step-up, in a known format', async () => {
  for (const role of ['operator', 'reviewer', 'viewer'] as const)
    expect((await fetchAccessReview('csv', await testStack.signIn(role))).status).toBe(403)
  expect((await fetchAccessReview('xml')).status).toBe(422)
  const { send } = await signIn(testStack.dashboard.url, 'admin', { confirms: false })
  const response = await send(`${peoplePath}/access-review?format=csv`)
  expect([response.status, await response.text()]).toEqual([
    403,
    expect.stringContaining('step_up_needed'),
  ])
})

test('a refused change of a person is audited with that person as its target', async () => {
  const id = await invitePerson('Target', 'target@company.test')
  const operator = await testStack.signIn('operator')
  expect(
    (await operator.ask('POST', `${peoplePath}/${id}/deactivate`, toJsonInit({}))).status,
  ).toBe(403)
  const { rows } = await testStack.db.query<{ body: string }>('select body from audit')
  const deniedRows = rows
    .map(({ body }) => JSON.parse(body))
    .filter(({ code }) => code === 'people.deactivate.denied')
  expect(deniedRows.map(({ target }) => target)).toEqual([`people/${id}`])
})
