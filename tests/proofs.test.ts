import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ActionView } from '@/lib/operations/answer'
import { findLeakedWords } from './harness/leaks'
import { dumpDatabase } from './harness/objects'
import { createIdempotencyKey, createPdfFile, encodedProofDetails } from './harness/person'
import type { MadePayout } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk

beforeAll(async () => {
  testStack = await openSharedDesk()
})
afterEach(() => testStack.sandbox.clearFaults())
afterAll(() => testStack?.stop())

const proofFields = {
  authorized_by: 'Zoë Quillfeather-Örn',
  authorized_on: '2026-03-31',
  method: 'internet',
  note: 'By her own hand,\non page 3 & 4',
}
const sensitiveProofWords = ['Quillfeather', 'Zo%C3%AB', 'own hand', 'own+hand']
const encodeProofFields = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

const listActions = async ({ id }: MadePayout) =>
  (await testStack.operator.get<ActionView[]>(`/api/sandbox/desk/actions?target=payouts/${id}`))
    .body.data ?? []

test('a proof is shown with its record and stored nowhere else in plain text', async () => {
  const payout = await testStack.sandbox.makePayout()
  const seqBefore = await testStack.sandbox.lastSeq()
  const reply = await testStack.operator.upload(
    payout,
    createPdfFile('proof.pdf'),
    createIdempotencyKey(),
    encodeProofFields(proofFields),
  )
  expect(reply).toMatchObject({
    status: 201,
    body: { action: { state: 'applied', proof: proofFields } },
  })
  expect(await listActions(payout)).toMatchObject([
    { file: { name: 'proof.pdf' }, proof: proofFields },
  ])
  const viewer = await testStack.signIn('viewer')
  expect(
    (await viewer.get<ActionView[]>(`/api/sandbox/desk/actions?target=payouts/${payout.id}`)).body
      .data,
  ).toMatchObject([{ proof: proofFields }])
  expect(findLeakedWords(await dumpDatabase(testStack.db), sensitiveProofWords)).toEqual([])
  expect(findLeakedWords(testStack.dashboard.log(), sensitiveProofWords)).toEqual([])
  expect(
    findLeakedWords(
      JSON.stringify(await testStack.sandbox.requests(seqBefore)),
      sensitiveProofWords,
    ),
  ).toEqual([])
})

test.each([
  ['nothing', null, ['authorized_by', 'authorized_on', 'method']],
  ['no name', encodeProofFields({ ...proofFields, authorized_by: ' ' }), ['authorized_by']],
  [
    'a day in the future',
    encodeProofFields({ ...proofFields, authorized_on: '2999-01-01' }),
    ['authorized_on'],
  ],
  [
    'a word of its own for how',
    encodeProofFields({ ...proofFields, method: 'shouted' }),
    ['method'],
  ],
  ['a note without end', encodeProofFields({ ...proofFields, note: 'x'.repeat(501) }), ['note']],
  ['one name twice', `${encodeProofFields(proofFields)}&authorized_by=Somebody`, ['authorized_by']],
  ['a field too many', encodeProofFields({ ...proofFields, ssn: '1' }), ['ssn']],
])(
  '%s is rejected with its field names, and nothing is sent or stored',
  async (_what, proof, fields) => {
    const payout = await testStack.sandbox.makePayout()
    const lastSeqBefore = await testStack.sandbox.lastSeq()
    const reply = await testStack.operator.upload(
      payout,
      createPdfFile('proof.pdf'),
      createIdempotencyKey(),
      proof,
    )
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_input', items: fields.map((reference) => ({ reference })) } },
    })
    expect(reply.body.error?.detail).toMatch(new RegExp(`^${fields[0]}: `))
    expect(await testStack.sandbox.requests(lastSeqBefore)).toEqual([])
    expect(await listActions(payout)).toEqual([])
  },
)

test('the proof of a key is the first one', async () => {
  const payout = await testStack.sandbox.makePayout()
  const idempotencyKey = createIdempotencyKey()
  const uploadProof = (proof: string) =>
    testStack.operator.upload(payout, createPdfFile('proof.pdf'), idempotencyKey, proof)
  expect((await uploadProof(encodeProofFields(proofFields))).status).toBe(201)
  expect(await uploadProof(encodedProofDetails)).toMatchObject({
    status: 409,
    body: { error: { code: 'key_reused' } },
  })
  expect(await uploadProof(encodeProofFields(proofFields))).toMatchObject({
    status: 201,
    replayed: true,
    body: { action: { proof: proofFields } },
  })
  expect(await listActions(payout)).toMatchObject([{ proof: proofFields }])
})

test('a proof stays after a lost response, and the list of open actions does not contain it', async () => {
  const payout = await testStack.sandbox.makePayout()
  await testStack.sandbox.fault({
    operation: 'payouts.authorize',
    match: payout.id,
    kind: 'status',
    status: 503,
    at: 'after',
    count: null,
  })
  const reply = await testStack.operator.upload(
    payout,
    createPdfFile('lost.pdf'),
    createIdempotencyKey(),
    encodeProofFields(proofFields),
  )
  expect(reply).toMatchObject({
    status: 202,
    body: { action: { state: 'unknown', proof: proofFields } },
  })
  for (const path of ['/sandbox/home', '/sandbox/activity?tab=unknown']) {
    expect(
      findLeakedWords(await (await testStack.operator.send(path)).text(), sensitiveProofWords),
    ).toEqual([])
  }
  await testStack.sandbox.clearFaults()
  const settledReply = await testStack.operator.check(reply.body.action?.id ?? '')
  expect(settledReply).toMatchObject({
    body: { action: { state: 'applied', replayed: true, proof: proofFields } },
  })
})
