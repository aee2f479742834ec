import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { appendAudit } from '@/lib/server/audit/chain'
import {
  findHeadsFault,
  hashHead,
  readHeads,
  type SignedHead,
  storeHead,
} from '@/lib/server/audit/heads'
import {
  acceptRestore,
  archiveOutdatedHeads,
  readRestoreAcceptedAt,
} from '@/lib/server/audit/restore'
import { readStoreSettings } from '@/lib/server/config/store-settings'
import { auditHeadFiles } from '@/lib/server/store/schema/audit'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { openTestStore } from './harness/own-store'

let db: Db
let closeOwnStore: () => Promise<void>
let headsFilePath: string
let headsFileText: string

const appendAuditRow = () =>
  db.transaction((tx) =>
    appendAudit(tx, {
      code: 'payouts.release.applied',
      actor: randomUUID(),
      target: `payouts/${randomUUID()}`,
    }),
  )

beforeAll(async () => {
  closeOwnStore = await openTestStore('PostgreSQL')
  db = await getDatabase()
  headsFilePath = path.join(readStoreSettings().dataDir, 'audit-heads.jsonl')
  for (let head = 0; head < 6; head += 1) {
    await appendAuditRow()
    await storeHead()
  }
  headsFileText = fs.readFileSync(headsFilePath, 'utf8')
})
afterEach(() => fs.writeFileSync(headsFilePath, headsFileText))
afterAll(() => closeOwnStore?.())

test('each head refers to the one before it, and all of them are valid', async () => {
  expect(readHeads().heads.map(({ seq, count }) => [seq, count])).toEqual(
    [1, 2, 3, 4, 5, 6].map((at) => [at, at]),
  )
  expect(await findHeadsFault(db)).toBeNull()
})

type TamperFunction = (lines: string[]) => string[] | null

const tamperFunctions: Readonly<Record<string, TamperFunction>> = {
  'a line that cannot be read': (lines) => [...lines, '{"seq":'],
  'a line cut short': ([first = '', ...rest]) => [first.slice(0, 40), ...rest],
  'an emptied file': () => [],
  'a removed file': () => null,
  'the last head removed': (lines) => lines.slice(0, -1),
  'later heads removed': (lines) => lines.slice(0, 2),
  'a head in the middle removed': (lines) => lines.toSpliced(2, 1),
  'the first head removed': (lines) => lines.slice(1),
  'two heads exchanged': ([first = '', second = '', ...rest]) => [second, first, ...rest],
  'a head twice': ([first = '', ...rest]) => [first, first, ...rest],
  'another row in a head': (lines) => lines.with(3, (lines[3] ?? '').replace('"seq":4', '"seq":5')),
}

test.each(Object.entries(tamperFunctions))('%s is detected', async (_what, tamper) => {
  const tamperedLines = tamper(headsFileText.split('\n').filter(Boolean))
  if (tamperedLines) fs.writeFileSync(headsFilePath, tamperedLines.join('\n'))
  else fs.rmSync(headsFilePath)
  expect(await findHeadsFault(db)).toEqual(expect.any(String))
})

test('one head more than the store knows, as after a kill, is not an error', async () => {
  await db
    .update(auditHeadFiles)
    .set({ count: 5, link: hashHead(readHeads().heads[4] as SignedHead) })
  expect(await findHeadsFault(db)).toBeNull()
  await appendAuditRow()
  expect(await storeHead()).toMatchObject({ seq: 7, count: 7 })
  headsFileText = fs.readFileSync(headsFilePath, 'utf8')
  expect(await findHeadsFault(db)).toBeNull()
})

test.each([
  ['emptied', () => fs.writeFileSync(headsFilePath, '')],
  ['removed', () => fs.rmSync(headsFilePath)],
])('a file that was %s is still detected after a restart that adds heads', async (_how, tamper) => {
  tamper()
  vi.resetModules()
  const restartedHeadsModule = await import('@/lib/server/audit/heads')
  await appendAuditRow()
  expect(await restartedHeadsModule.storeHead()).toMatchObject({ seq: expect.any(Number) })
  await appendAuditRow()
  await restartedHeadsModule.storeHead()
  expect(await findHeadsFault(db)).toMatch(/missing/)
})

test('after a restore the earlier heads are moved aside, and new ones start', async () => {
  expect(await readRestoreAcceptedAt(db)).toBeNull()
  const archivedHeadsPath = await acceptRestore()
  expect(fs.existsSync(archivedHeadsPath ?? '')).toBe(true)
  expect(await findHeadsFault(db)).toBeNull()
  expect(Date.parse((await readRestoreAcceptedAt(db)) ?? '')).toBeLessThanOrEqual(Date.now())
})

test('another instance of the restored store moves its older heads aside, and keeps later ones', async () => {
  const olderHeadsPath = await archiveOutdatedHeads(db)
  expect(fs.readFileSync(olderHeadsPath ?? '', 'utf8')).toBe(headsFileText)
  await appendAuditRow()
  await storeHead()
  expect(await archiveOutdatedHeads(db)).toBeNull()
  expect(readHeads().heads).toHaveLength(1)
  expect(await findHeadsFault(db)).toBeNull()
})

test('an acceptance without a signature of a known key is ignored', async () => {
  const acceptedAt = new Date(Date.now() + 60_000).toISOString()
  const unsignedAcceptance = {
    at: acceptedAt,
    key: '0123456789abcdef',
    signature: 'bm90IGEgc2lnbmF0dXJl',
  }
  await db.transaction((tx) =>
    appendAudit(tx, { code: 'audit.restored.applied', actor: null, accepted: unsignedAcceptance }),
  )
  expect(await readRestoreAcceptedAt(db)).toBeNull()
  expect(await archiveOutdatedHeads(db)).toBeNull()
})
