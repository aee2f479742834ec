import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedPglite, openPglite } from './pglite'
import { runUpkeepStep } from './upkeep'

let storeFolder: string
let store: OpenedPglite
beforeAll(async () => {
  storeFolder = mkdtempSync(join(tmpdir(), 'paydesk-upkeep-'))
  store = await openPglite(storeFolder)
})
afterAll(async () => {
  await store.close()
  rmSync(storeFolder, { recursive: true })
})

const createTable = (table: string) =>
  store.db.exec(`create table ${table} (id int primary key, words text)`)
const insertRows = (table: string, from: number, to: number) =>
  store.db.exec(
    `insert into ${table} select n, repeat('x', 200) from generate_series(${from}, ${to}) n`,
  )
const countTablePages = async (table: string) => {
  const { rows } = await store.db.query<{ pages: number }>(
    `select pg_relation_size('${table}') / 8192 as pages`,
  )
  return Number(rows[0]?.pages)
}

/** Runs upkeep steps until nothing is due. Returns the SQL statements that they ran. */
async function runUpkeepSteps(cleaned = new Map<string, number>()): Promise<string[]> {
  // PostgreSQL adds changes to its statistics once a second. This adds them at once.
  await store.db.exec('select pg_stat_force_next_flush()')
  const ranStatement = await runUpkeepStep(store.db, cleaned)
  return ranStatement === null ? [] : [ranStatement, ...(await runUpkeepSteps(cleaned))]
}

test('vacuums and analyzes a table only if it has changed', async () => {
  await createTable('changed')
  expect(await runUpkeepSteps()).toEqual([])
  await insertRows('changed', 1, 20_000)
  expect(await runUpkeepSteps()).toEqual([
    'VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) changed',
    'ANALYZE changed',
  ])
  const { rows } = await store.db.query(
    `select 1 from pg_stats where tablename = 'changed' and attname = 'words'`,
  )
  expect(rows).toHaveLength(1)
  await insertRows('changed', 20_001, 20_100)
  expect(await runUpkeepSteps()).toEqual([])
})

test('vacuums the tables of the jobs too', async () => {
  await store.db.exec('create schema pgboss')
  await createTable('pgboss.done')
  await insertRows('pgboss.done', 1, 20_000)
  expect(await runUpkeepSteps()).toContain('VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) pgboss.done')
})

test('cleans indexes only if a fifth of the rows is dead', async () => {
  await createTable('died')
  await insertRows('died', 1, 20_000)
  const cleanedTables = new Map<string, number>()
  await runUpkeepSteps(cleanedTables)
  for (const [upTo, cleanupMode] of [
    [2500, 'OFF'],
    [5000, 'ON'],
    [7500, 'OFF'],
  ]) {
    await store.db.exec(`delete from died where id <= ${upTo}`)
    expect(await runUpkeepSteps(cleanedTables)).toContain(
      `VACUUM (INDEX_CLEANUP ${cleanupMode}, TRUNCATE OFF) died`,
    )
  }
})

test('reuses the space of deleted rows', async () => {
  await createTable('reused')
  await insertRows('reused', 1, 20_000)
  await runUpkeepSteps()
  const pagesBefore = await countTablePages('reused')
  for (const round of [1, 2, 3]) {
    await store.db.exec(`delete from reused where id <= ${round * 5000}`)
    await runUpkeepSteps()
    await insertRows('reused', 20_000 + (round - 1) * 5000 + 1, 20_000 + round * 5000)
  }
  expect(await countTablePages('reused')).toBeLessThan(pagesBefore * 1.3)
})

test('quotes a table name', async () => {
  await createTable('"Odd name"')
  await insertRows('"Odd name"', 1, 5000)
  expect(await runUpkeepSteps()).toContain('ANALYZE "Odd name"')
})
