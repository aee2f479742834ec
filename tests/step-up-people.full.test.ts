import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonDetail, PersonView } from '@/lib/operations/people'
import { createIdempotencyKey, goodReason, type Person } from './harness/person'
import { createStepUpHelpers } from './harness/step-up'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let stepUpHelpers: ReturnType<typeof createStepUpHelpers>
let admin: Person

beforeAll(async () => {
  testStack = await startWholeDesk({ production: true })
  stepUpHelpers = createStepUpHelpers(testStack)
  admin = await testStack.signIn('admin')
})
afterAll(() => testStack?.stop())

const peoplePath = '/api/sandbox/desk/people'
const findPersonId = async (email: string) =>
  (await admin.get<PersonView[]>(peoplePath)).body.data?.find((one) => one.email === email)?.id ??
  ''
const removeFactors = (person: Person, id: string) =>
  person.post<PersonDetail>(`${peoplePath}/${id}/factors/remove`)

test('an admin removes a person’s factors, which is audited, signs them out and blocks approvals for a day', async () => {
  const reviewer = await stepUpHelpers.enter('reviewer')
  await stepUpHelpers.addApp(reviewer)
  const id = await findPersonId('reviewer@company.test')
  const removeReply = await removeFactors(admin, id)
  expect([removeReply.status, removeReply.body.error?.detail]).toEqual([200, undefined])
  expect(removeReply.body.data).toMatchObject({
    factors: { passkeys: 0, totp: false },
    sessions: [],
  })
  expect((await reviewer.get('/api/sandbox/v1/accounts')).status).toBe(401)
  expect((await stepUpHelpers.auditOf('people.remove_factors.applied')).at(-1)).toMatchObject({
    subject: id,
  })
  expect((await removeFactors(admin, id)).status).toBe(409)

  const releaseReply = await testStack.operator.decide(
    'release',
    await testStack.sandbox.makePayout({ amount: 600_000 }),
    createIdempotencyKey(),
    goodReason,
  )
  expect(releaseReply.status).toBe(202)
  const newReviewerSession = await testStack.signIn('reviewer')
  const sendApproval = () =>
    newReviewerSession.post(`/api/sandbox/desk/approvals/${releaseReply.body.action?.id}/approve`)
  const approveReply = await sendApproval()
  expect(approveReply.status).toBe(403)
  expect(approveReply.body.error?.detail).toMatch(
    /second factors was removed, so you cannot approve until .* UTC/,
  )
  await testStack.db.query(`update approval_holds set until = now() - interval '1 second'`)
  expect((await sendApproval()).status).toBe(200)
})

test('an admin cannot remove their own factors here, and a non-admin cannot remove any', async () => {
  expect((await removeFactors(admin, await findPersonId('admin@company.test'))).status).toBe(403)
  expect(
    (await removeFactors(testStack.operator, await findPersonId('viewer@company.test'))).status,
  ).toBe(403)
})
