import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import { findWords } from './harness/leaks'
import { dumpDatabase } from './harness/objects'
import { authorizationDetails, createPdfFile, newKey } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let desk: WholeDesk

beforeAll(async () => {
  desk = await openSharedDesk()
})
afterEach(() => desk.sandbox.clearFaults())
afterAll(() => desk?.stop())

const proofFields = {
  authorized_by: 'Zoë Quillfeather-Örn',
  authorized_on: '2026-03-31',
  method: 'internet',
  note: 'By her own hand,\non page 3 & 4',
}
const words = ['Quillfeather', 'Zo%C3%AB', 'own hand', 'own+hand']
const toProofHeader = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

const listActions = async ({ id }: MadePayout) =>
  (await desk.operator.get<ActionView[]>(`/api/sandbox/desk/actions?target=payouts/${id}`)).body.data ?? []

test('a proof is shown with its record and stored nowhere else in plain text', async () => {
  const payout = await desk.sandbox.makePayout()
  const seqBefore = await desk.sandbox.lastSeq()
  const reply = await desk.operator.upload(payout, createPdfFile('proof.pdf'), newKey(), toProofHeader(proofFields))
  expect(reply).toMatchObject({ status: 201, body: { action: { state: 'applied', proof: proofFields } } })
  expect(await listActions(payout)).toMatchObject([{ file: { name: 'proof.pdf' }, proof: proofFields }])
  const viewer = await desk.signIn('viewer')
  expect((await viewer.get<ActionView[]>(`/api/sandbox/desk/actions?target=payouts/${payout.id}`)).body.data).toMatchObject([
    { proof: proofFields },
  ])
  expect(findWords(await dumpDatabase(desk.db), words)).toEqual([])
  expect(findWords(desk.dashboard.log(), words)).toEqual([])
  expect(findWords(JSON.stringify(await desk.sandbox.requests(seqBefore)), words)).toEqual([])
})

test.each([
  ['nothing', null, ['authorized_by', 'authorized_on', 'method']],
  ['no name', toProofHeader({ ...proofFields, authorized_by: ' ' }), ['authorized_by']],
  ['a day in the future', toProofHeader({ ...proofFields, authorized_on: '2999-01-01' }), ['authorized_on']],
  ['a word of its own for how', toProofHeader({ ...proofFields, method: 'shouted' }), ['method']],
  ['a note without end', toProofHeader({ ...proofFields, note: 'x'.repeat(501) }), ['note']],
  ['one name twice', `${toProofHeader(proofFields)}&authorized_by=Somebody`, ['authorized_by']],
  ['a field too many', toProofHeader({ ...proofFields, ssn: '1' }), ['ssn']],
])('%s is rejected with its field names, and nothing is sent or stored', async (_what, proof, fields) => {
  const payout = await desk.sandbox.makePayout()
  const before = await desk.sandbox.lastSeq()
  const reply = await desk.operator.upload(payout, createPdfFile('proof.pdf'), newKey(), proof)
  expect(reply).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid_input', items: fields.map((reference) => ({ reference })) } },
  })
  expect(reply.body.error?.detail).toMatch(new RegExp(`^${fields[0]}: `))
  expect(await desk.sandbox.requests(before)).toEqual([])
  expect(await listActions(payout)).toEqual([])
})

test('the proof of a key is the first one', async () => {
  const payout = await desk.sandbox.makePayout()
  const idempotencyKey = newKey()
  const uploadProof = (proof: string) => desk.operator.upload(payout, createPdfFile('proof.pdf'), idempotencyKey, proof)
  expect((await uploadProof(toProofHeader(proofFields))).status).toBe(201)
  expect(await uploadProof(authorizationDetails)).toMatchObject({ status: 409, body: { error: { code: 'key_reused' } } })
  expect(await uploadProof(toProofHeader(proofFields))).toMatchObject({
    status: 201,
    replayed: true,
    body: { action: { proof: proofFields } },
  })
  expect(await listActions(payout)).toMatchObject([{ proof: proofFields }])
})

test('a proof stays after a lost response, and the list of open actions does not contain it', async () => {
  const payout = await desk.sandbox.makePayout()
  await desk.sandbox.fault({ operation: 'payouts.authorize', match: payout.id, kind: 'status', status: 503, at: 'after', count: null })
  const reply = await desk.operator.upload(payout, createPdfFile('lost.pdf'), newKey(), toProofHeader(proofFields))
  expect(reply).toMatchObject({ status: 202, body: { action: { state: 'unknown', proof: proofFields } } })
  for (const path of ['/sandbox/home', '/sandbox/activity?tab=unknown']) {
    expect(findWords(await (await desk.operator.send(path)).text(), words)).toEqual([])
  }
  await desk.sandbox.clearFaults()
  const settledReply = await desk.operator.check(reply.body.action?.id ?? '')
  expect(settledReply).toMatchObject({ body: { action: { state: 'applied', replayed: true, proof: proofFields } } })
})
