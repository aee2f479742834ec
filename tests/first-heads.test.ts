import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { appendAudit } from '@/lib/server/audit/chain'
import { startHeadSigning, storeHead } from '@/lib/server/audit/heads'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { log } from '@/lib/server/log'
import { getDatabase } from '@/lib/server/store/store'
import { openTestStore } from './harness/own-store'

let closeOwnStore: () => Promise<void>
const loggedEvents: string[] = []

beforeAll(async () => {
  closeOwnStore = await openTestStore('PostgreSQL')
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(log, level).mockImplementation(
      (line: unknown) => void loggedEvents.push((line as { event: string }).event),
    )
})
afterAll(async () => {
  vi.restoreAllMocks()
  await closeOwnStore?.()
})

async function addSignedAuditRow(): Promise<void> {
  const db = await getDatabase()
  await db.transaction((tx) =>
    appendAudit(tx, {
      code: 'payouts.release.applied',
      actor: randomUUID(),
      target: `payouts/${randomUUID()}`,
    }),
  )
  await storeHead()
}

const removeDataFile = (name: string) => fs.rmSync(path.join(readStoreSettings().dataDir, name))

/**
 * Starts the periodic signing of the newest audit row, as a server does. Returns the names of the
 * logged warnings and errors.
 */
async function signHeadsAndReadEvents(): Promise<string[]> {
  loggedEvents.length = 0
  const { stop } = startHeadSigning()
  await vi.waitFor(() => expect(loggedEvents).not.toEqual([]))
  stop()
  // `startHeadSigning` began to sign in the background. `storeHead` locks the same row, so it
  // returns only after that signing has ended.
  await storeHead()
  return loggedEvents
}

test('a start distinguishes a new instance’s folder from one whose signed heads were removed', async () => {
  await addSignedAuditRow()
  removeDataFile('audit-heads.jsonl')
  expect(await signHeadsAndReadEvents()).toEqual(['audit.heads_changed'])
  await addSignedAuditRow()
  fs.writeFileSync(path.join(readStoreSettings().dataDir, 'audit-heads.jsonl'), 'no head\n')
  removeDataFile('audit-heads-id')
  expect(await signHeadsAndReadEvents()).toEqual(['audit.heads_changed'])
  await addSignedAuditRow()
  removeDataFile('audit-heads.jsonl')
  removeDataFile('audit-heads-id')
  expect(await signHeadsAndReadEvents()).toEqual(['audit.no_heads'])
})
