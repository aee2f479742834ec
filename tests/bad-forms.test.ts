import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createIdempotencyKey,
  createPdfFile,
  encodedProofDetails,
  type Person,
} from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let dashboard: WholeDesk['dashboard']
let db: Client
let operator: Person

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, dashboard, db, operator } = testStack)
})
afterAll(() => testStack?.stop())

const buildFilePart = (partName: string, fileName: string) =>
  `--XX\r\nContent-Disposition: form-data; name="${partName}"; filename="${fileName}"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7 text\r\n`
const notePart = `--XX\r\nContent-Disposition: form-data; name="note"\r\n\r\nmore\r\n`
const endBoundary = '--XX--\r\n'
const multipartType = 'multipart/form-data; boundary=XX'

test.each([
  ['a file without the end of its form', multipartType, buildFilePart('File', 'proof.pdf'), 422],
  ['a wrong ending without the end', multipartType, buildFilePart('File', 'proof.exe'), 422],
  ['another name without the end', multipartType, buildFilePart('Other', 'proof.pdf'), 422],
  [
    'a file with a field after it',
    multipartType,
    buildFilePart('File', 'proof.pdf') + notePart + endBoundary,
    422,
  ],
  [
    'two files',
    multipartType,
    buildFilePart('File', 'a.pdf') + buildFilePart('File', 'b.pdf') + endBoundary,
    422,
  ],
  ['no part at all', multipartType, endBoundary, 422],
  ['an empty boundary', 'multipart/form-data; x=boundary=', 'text', 400],
  ['a body that is no form', 'text/plain', 'text', 400],
])('%s is rejected by name, and nothing is sent or stored', async (_name, type, body, status) => {
  const payout = await sandbox.makePayout()
  const seqBefore = await sandbox.lastSeq()
  const uploadReply = await operator.post(
    `/api/sandbox/v1/payouts/${payout.id}/authorization?account=${payout.account}`,
    {
      headers: {
        'content-type': type,
        'idempotency-key': createIdempotencyKey(),
        'action-proof': encodedProofDetails,
      },
      body,
    },
  )
  expect(uploadReply.status).toBe(status)
  expect(uploadReply.body.error?.detail).toMatch(status === 422 ? /^File: / : /^Content-Type: /)
  expect(await sandbox.requests(seqBefore)).toEqual([])
  expect(await countOrphanFiles()).toBe(0)
  expect(dashboard.log()).not.toMatch(/uncaughtException|unhandledRejection/i)
})

async function countOrphanFiles(): Promise<number> {
  const orphanFileResult = await db.query(
    'select count(*)::int as n from payloads p where not exists (select 1 from actions a where a.payload_id = p.id)',
  )
  return orphanFileResult.rows[0].n as number
}

test('files whose key is known or in use are not stored', async () => {
  const payout = await sandbox.makePayout()
  const idempotencyKey = createIdempotencyKey()
  const uploadReplies = await Promise.all(
    Array.from({ length: 6 }, () =>
      operator.upload(payout, createPdfFile('same.pdf', 900_000), idempotencyKey),
    ),
  )
  expect(uploadReplies.filter((reply) => reply.status === 201 && !reply.replayed)).toHaveLength(1)
  expect(await countOrphanFiles()).toBe(0)
  expect(await sandbox.journal(payout.id)).toHaveLength(1)
})

test.each([
  ['NUL', '\0'],
  ['half of a character of two parts', '\ud83d'],
])(
  'text with %s is rejected at its field, in a body, a nested name, a query and a reason',
  async (_what, bad) => {
    const toJsonInit = (body: object) => ({
      headers: { 'content-type': 'application/json', 'idempotency-key': createIdempotencyKey() },
      body: JSON.stringify(body),
    })
    const payout = await sandbox.makePayout()
    const createdPayout = await sandbox.makePayout({ status: 'created' })
    const savedViewReply = await operator.post(
      '/api/sandbox/desk/views',
      toJsonInit({ list: 'payouts', name: `a${bad}b`, search: '' }),
    )
    const metadataReply = await operator.ask(
      'PUT',
      `/api/sandbox/v1/payouts/${payout.id}?account=${payout.account}`,
      {
        ...toJsonInit({ metadata: { [`a${bad}`]: 'b' } }),
      },
    )
    const reasonReply = await operator.ask(
      'PUT',
      `/api/sandbox/v1/payouts/${createdPayout.id}/hold?account=${createdPayout.account}`,
      {
        ...toJsonInit({ reason: `CUSTOMER_REQUEST: The customer asked ${bad} for it to wait.` }),
      },
    )
    const listReply =
      bad === '\0'
        ? await operator.get(
            `/api/sandbox/mirror/payments?search_text=${encodeURIComponent(`a${bad}b`)}`,
          )
        : savedViewReply
    const refusals = [savedViewReply, metadataReply, reasonReply, listReply].map(
      ({ status, body }) => [status, body.error?.items?.[0]?.reference],
    )
    expect(refusals).toEqual([
      [422, 'name'],
      [422, 'metadata'],
      [422, 'reason'],
      [422, bad === '\0' ? 'search_text' : 'name'],
    ])
  },
)

test('a name with a line break is rejected', async () => {
  const { status, body } = await operator.post('/api/sandbox/desk/views', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ list: 'payouts', name: 'a\nb', search: '' }),
  })
  expect([status, body.error?.items]).toEqual([
    422,
    [{ reference: 'name', detail: 'Must be one line of text.' }],
  ])
})
