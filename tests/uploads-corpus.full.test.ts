import { extname } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOfEachKind } from '@/tests/sandbox/sample'
import { badFiles, goodFiles } from './corpus/all'
import type { Person } from './harness/person'
import type { Sandbox } from './harness/sandbox'
import { openSharedDesk } from './harness/shared-desk'
import type { WholeDesk } from './harness/whole-desk'

let testStack: WholeDesk
let sandbox: Sandbox
let operator: Person
let db: Client
let payout: Awaited<ReturnType<Sandbox['makePayout']>>

beforeAll(async () => {
  testStack = await openSharedDesk()
  ;({ sandbox, operator, db } = testStack)
  payout = await sandbox.makePayout()
})
afterAll(() => testStack?.stop())

/**
 * Returns how many files and file chunks Paydesk stores, and the requests that the sandbox received
 * after the one with this number.
 */
async function readUploadLeftovers(lastSeqBefore: number) {
  const { rows } = await db.query(
    'select (select count(*) from payloads)::int as files, (select count(*) from payload_chunks)::int as chunks',
  )
  return {
    ...(rows[0] as { files: number; chunks: number }),
    sent: await sandbox.requests(lastSeqBefore),
  }
}

describe('refuses, without storing or sending anything', () => {
  test.each(sampleOfEachKind(badFiles, 2, ({ problem }) => problem ?? ''))(
    '$name: $label',
    async ({ name, make }) => {
      const seqBefore = await sandbox.lastSeq()
      const reply = await operator.upload(payout, { name, bytes: make() })
      expect(reply).toMatchObject({
        status: 422,
        body: { error: { code: 'invalid_input', items: [{ reference: 'File' }] } },
      })
      expect(reply.body.error?.detail).toMatch(/^File: .+\. .+\.$/)
      expect(await readUploadLeftovers(seqBefore)).toEqual({ files: 0, chunks: 0, sent: [] })
    },
  )
})

describe('attaches', () => {
  test.each(sampleOfEachKind(goodFiles, 3, ({ name }) => extname(name)))(
    '$name: $label',
    async ({ name, make }) => {
      const reply = await operator.upload(payout, { name, bytes: make() })
      expect(reply).toMatchObject({
        status: 201,
        body: { action: { state: 'applied', file: { name } } },
      })
    },
  )
})
