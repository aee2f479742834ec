import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenFolder, openPglite } from './pglite'
import { upkeepStep } from './upkeep'

let folder: string
let store: OpenFolder
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-upkeep-'))
  store = await openPglite(folder)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const create = (table: string) => store.db.exec(`create table ${table} (id int primary key, words text)`)
const fill = (table: string, from: number, to: number) =>
  store.db.exec(`insert into ${table} select n, repeat('x', 200) from generate_series(${from}, ${to}) n`)
const pagesOf = async (table: string) => {
  const { rows } = await store.db.query<{ pages: number }>(`select pg_relation_size('${table}') / 8192 as pages`)
  return Number(rows[0]?.pages)
}

/** Runs upkeep steps until nothing is due. Returns their statements. */
async function steps(cleaned = new Map<string, number>()): Promise<string[]> {
  // PostgreSQL adds changes to its statistics once a second. This adds them at once.
  await store.db.exec('select pg_stat_force_next_flush()')
  const step = await upkeepStep(store.db, cleaned)
  return step === null ? [] : [step, ...(await steps(cleaned))]
}

test('vacuums and analyzes a table only if it has changed', async () => {
  await create('changed')
  expect(await steps()).toEqual([])
  await fill('changed', 1, 20_000)
  expect(await steps()).toEqual(['VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) changed', 'ANALYZE changed'])
  const { rows } = await store.db.query(`select 1 from pg_stats where tablename = 'changed' and attname = 'words'`)
  expect(rows).toHaveLength(1)
  await fill('changed', 20_001, 20_100)
  expect(await steps()).toEqual([])
})

test('vacuums the tables of the jobs too', async () => {
  await store.db.exec('create schema pgboss')
  await create('pgboss.done')
  await fill('pgboss.done', 1, 20_000)
  expect(await steps()).toContain('VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF) pgboss.done')
})

test('cleans indexes only if a fifth of the rows is dead', async () => {
  await create('died')
  await fill('died', 1, 20_000)
  const cleaned = new Map<string, number>()
  await steps(cleaned)
  for (const [upTo, how] of [
    [2500, 'OFF'],
    [5000, 'ON'],
    [7500, 'OFF'],
  ]) {
    await store.db.exec(`delete from died where id <= ${upTo}`)
    expect(await steps(cleaned)).toContain(`VACUUM (INDEX_CLEANUP ${how}, TRUNCATE OFF) died`)
  }
})

test('reuses the space of deleted rows', async () => {
  await create('reused')
  await fill('reused', 1, 20_000)
  await steps()
  const before = await pagesOf('reused')
  for (const round of [1, 2, 3]) {
    await store.db.exec(`delete from reused where id <= ${round * 5000}`)
    await steps()
    await fill('reused', 20_000 + (round - 1) * 5000 + 1, 20_000 + round * 5000)
  }
  expect(await pagesOf('reused')).toBeLessThan(before * 1.3)
})

test('quotes a table name', async () => {
  await create('"Odd name"')
  await fill('"Odd name"', 1, 5000)
  expect(await steps()).toContain('ANALYZE "Odd name"')
})
