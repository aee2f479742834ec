import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createIdempotencyKey, createPdfFile, type Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let operator: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, operator } = testStack)
})
afterEach(() => sandbox.clearFaults())
afterAll(() => testStack?.stop())

test('a replay is byte-identical, including the boundary', async () => {
  const payout = await sandbox.makePayout()
  const seqBefore = await sandbox.lastSeq()
  await sandbox.fault({
    operation: 'payouts.authorize',
    match: payout.id,
    kind: 'reset',
    at: 'after',
  })
  const proofFile = createPdfFile('proof of agreement.pdf', 1_300_000)
  const reply = await operator.upload(payout, proofFile)
  expect(reply).toMatchObject({
    status: 201,
    body: { action: { state: 'applied', replayed: true } },
  })
  const sentUploads = (await sandbox.requests(seqBefore)).filter((row) => row.method === 'POST')
  expect(sentUploads).toHaveLength(2)
  expect(new Set(sentUploads.map((row) => row.body_sha256)).size).toBe(1)
  const [row] = await sandbox.journal(payout.id)
  expect(row?.file_sha256).toBe(createHash('sha256').update(proofFile.bytes).digest('hex'))
  expect(reply.body.action?.file).toMatchObject({
    name: 'proof of agreement.pdf',
    size: 1_300_000,
    sha256: row?.file_sha256,
  })
})

test('the same file under the same key returns the stored response, and another file is refused', async () => {
  const payout = await sandbox.makePayout()
  const idempotencyKey = createIdempotencyKey()
  expect((await operator.upload(payout, createPdfFile('a.pdf'), idempotencyKey)).status).toBe(201)
  expect(await operator.upload(payout, createPdfFile('a.pdf'), idempotencyKey)).toMatchObject({
    status: 201,
    replayed: true,
  })
  expect(await operator.upload(payout, createPdfFile('b.pdf'), idempotencyKey)).toMatchObject({
    status: 409,
    body: { error: { code: 'key_reused' } },
  })
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test('a file of exactly 10 MiB is accepted, and one more byte is refused and not sent', async () => {
  const payout = await sandbox.makePayout()
  expect((await operator.upload(payout, createPdfFile('full.pdf', 10 * 1024 * 1024))).status).toBe(
    201,
  )
  const lastSeqBefore = await sandbox.lastSeq()
  const overLimitReply = await operator.upload(
    payout,
    createPdfFile('over.pdf', 10 * 1024 * 1024 + 1),
  )
  expect(overLimitReply).toMatchObject({ status: 413, body: { error: { code: 'too_large' } } })
  expect(await sandbox.requests(lastSeqBefore)).toEqual([])
})

test.each([
  ['empty', { name: 'empty.pdf', bytes: new Uint8Array() }],
  ['of another kind than its name', { name: 'picture.png', bytes: createPdfFile('x').bytes }],
  ['of a kind that is not taken', { name: 'run.exe', bytes: createPdfFile('x').bytes }],
])('a file that is %s is rejected with the field name and not sent', async (_name, file) => {
  const payout = await sandbox.makePayout()
  const seqBeforeUpload = await sandbox.lastSeq()
  const reply = await operator.upload(payout, file)
  expect(reply).toMatchObject({ status: 422, body: { error: { items: [{ reference: 'File' }] } } })
  expect(await sandbox.requests(seqBeforeUpload)).toEqual([])
})
