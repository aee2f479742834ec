import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { appendAudit } from '@/lib/server/audit/chain'
import { startHeads, storeHead } from '@/lib/server/audit/heads'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { log } from '@/lib/server/log'
import { database } from '@/lib/server/store/store'
import { openOwnStore } from './harness/own-store'

let closeOwnStore: () => Promise<void>
const logLines: string[] = []

beforeAll(async () => {
  closeOwnStore = await openOwnStore('PostgreSQL')
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(log, level).mockImplementation((line: unknown) => void logLines.push((line as { event: string }).event))
})
afterAll(async () => {
  vi.restoreAllMocks()
  await closeOwnStore?.()
})

async function addSignedRow(): Promise<void> {
  const db = await database()
  await db.transaction((tx) => appendAudit(tx, { code: 'payouts.release.applied', actor: randomUUID(), target: `payouts/${randomUUID()}` }))
  await storeHead()
}

const removeFile = (name: string) => fs.rmSync(path.join(readStoreSettings().dataDir, name))

/** Starts the signing of heads as a server does. Returns the log lines about missing heads. */
async function startAndReadLog(): Promise<string[]> {
  logLines.length = 0
  const { stop } = startHeads()
  await vi.waitFor(() => expect(logLines).not.toEqual([]))
  stop()
  // Waits until the signing that the start began has ended, because both lock the same row.
  await storeHead()
  return logLines
}

test('a start distinguishes a new instance’s folder from one whose signed heads were removed', async () => {
  await addSignedRow()
  removeFile('audit-heads.jsonl')
  expect(await startAndReadLog()).toEqual(['audit.heads_changed'])
  await addSignedRow()
  fs.writeFileSync(path.join(readStoreSettings().dataDir, 'audit-heads.jsonl'), 'no head\n')
  removeFile('audit-heads-id')
  expect(await startAndReadLog()).toEqual(['audit.heads_changed'])
  await addSignedRow()
  removeFile('audit-heads.jsonl')
  removeFile('audit-heads-id')
  expect(await startAndReadLog()).toEqual(['audit.no_heads'])
})
