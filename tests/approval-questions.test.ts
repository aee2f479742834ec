import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApprovalDetail } from '@/lib/operations/approvals'
import { createIdempotencyKey, createPdfFile, goodReason, type Person } from './harness/person'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

const jsonHeaders = { 'content-type': 'application/json' }
const question = 'Which invoice does this payout settle?'
const answer = 'It settles the invoice of October, see the uploaded proof.'

let desk: WholeDesk
let operator: Person
let reviewer: Person

beforeAll(async () => {
  desk = await openSharedDesk()
  operator = desk.operator
  reviewer = await desk.signIn('reviewer')
})
afterAll(() => desk?.stop())

async function requestRelease() {
  const payout = await desk.sandbox.makePayout({ amount: 600_000 })
  const reply = await operator.decide('release', payout, createIdempotencyKey(), goodReason)
  return { payout, id: reply.body.action?.id ?? '' }
}

const send = (person: Person, id: string, verb: string, body: object = {}) =>
  person.post(`/api/sandbox/desk/approvals/${id}/${verb}`, {
    headers: jsonHeaders,
    body: JSON.stringify(body),
  })

const readRequest = async (id: string) =>
  (await reviewer.get<ApprovalDetail>(`/api/sandbox/desk/approvals/${id}`)).body.data

test('an approver asks, the requester answers with a proof, and the request is approved', async () => {
  const { payout, id } = await requestRelease()
  expect((await send(reviewer, id, 'ask', { question })).status).toBe(200)
  expect(await readRequest(id)).toMatchObject({
    action: { state: 'awaiting_approval' },
    questions: [{ asked_by: 'Rhea Reviewer', question, answer: null }],
  })
  const upload = await operator.upload(payout, createPdfFile('proof.pdf'))
  expect(upload.status).toBe(201)
  expect((await send(operator, id, 'answer', { answer })).status).toBe(200)
  const request = await readRequest(id)
  expect(request?.questions).toMatchObject([{ question, answer }])
  expect(request?.fields?.filter(({ changed }) => changed)).toEqual([])
  expect(await send(reviewer, id, 'approve')).toMatchObject({
    status: 200,
    body: { action: { state: 'applied' } },
  })
  const { rows } = await desk.db.query<{ body: { code: string; actor: string } }>(
    `select body::json as body from audit where body::json ->> 'action' = $1 order by seq`,
    [id],
  )
  expect(rows.map(({ body }) => body.code.split('.').at(-1))).toEqual([
    'asked',
    'questioned',
    'answered',
    'approved',
    'start',
    'applied',
  ])
  expect(JSON.stringify(rows)).not.toContain('invoice')
})

test('only an approver asks, only the requester answers, and only one question is open', async () => {
  const { id } = await requestRelease()
  expect((await send(operator, id, 'ask', { question })).status).toBe(403)
  expect((await send(operator, id, 'answer', { answer })).status).toBe(409)
  expect((await send(reviewer, id, 'ask', { question })).status).toBe(200)
  expect((await send(reviewer, id, 'ask', { question })).status).toBe(409)
  expect((await send(reviewer, id, 'answer', { answer })).status).toBe(403)
  expect(await send(reviewer, id, 'ask', { question: 'Why?' })).toMatchObject({
    status: 422,
    body: { error: { items: [{ reference: 'question' }] } },
  })
  expect((await send(operator, id, 'withdraw')).status).toBe(200)
  expect((await send(operator, id, 'answer', { answer })).status).toBe(409)
})
