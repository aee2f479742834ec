import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Priority } from '@/lib/server/auth/scoped-account'
import { shrinkBudget, takeCalls } from '@/lib/server/service/budget'
import { takeReads } from '@/lib/server/service/rate-limit'
import { people } from '@/lib/server/store/schema/people'
import { closeStore, database, store } from '@/lib/server/store/store'
import { type Server, startServer } from './harness/postgres'
import { storeKinds } from './harness/store-kinds'

const run = async (statement: string) => {
  const result = await (await database()).execute(sql.raw(statement))
  return (result as unknown as { rows: Record<string, unknown>[] }).rows
}

/** Replaces the clock of the store with one that the test sets. The search path finds our `clock_timestamp` before that of PostgreSQL. */
async function stopClock(): Promise<void> {
  await run('create table stopped_clock (at timestamptz not null)')
  await run("create function public.clock_timestamp() returns timestamptz language sql as 'select at from stopped_clock'")
  // Applies to the only session of PGlite, and to every new session of PostgreSQL.
  await run('set search_path = public, pg_catalog')
  await run('alter role current_user set search_path = public, pg_catalog')
  if (!(await store()).alone) await closeStore()
}

const setClock = (at: string) => run(`with gone as (delete from stopped_clock) insert into stopped_clock values ('${at}')`)
const pass = (time: string) => run(`update stopped_clock set at = at + interval '${time}'`)

const none = { write: 0, read: 0, background: 0 }
const take = async (limit: number, wanted: Partial<Record<Priority, number>>) =>
  (await takeCalls('sandbox', limit, { ...none, ...wanted })).calls

describe.each(storeKinds)('on %s', (engine) => {
  let postgres: Server | undefined
  let folder: string

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-limits-'))
    if (engine === 'PostgreSQL') postgres = await startServer()
    process.env.DATA_DIR = folder
    process.env.DATABASE_URL = postgres?.url ?? ''
    await stopClock()
  })
  afterAll(async () => {
    await closeStore()
    await postgres?.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    await setClock('2026-11-20 12:00:15Z')
    await run('delete from service_budgets')
  })

  test('fifty concurrent callers take exactly the available slots', async () => {
    const allowedCalls = await Promise.all(Array.from({ length: 50 }, () => take(20, { write: 1 })))
    expect(allowedCalls.reduce((sum, { write }) => sum + write, 0)).toBe(20)
  })

  test('reads leave two fifths to writes, and background work leaves half to people', async () => {
    expect(await take(20, { background: 50 })).toEqual({ ...none, background: 10 })
    expect(await take(20, { read: 50, background: 5 })).toEqual({ ...none, read: 2 })
    expect(await take(20, { write: 50, read: 50 })).toEqual({ ...none, write: 8 })
  })

  test('concurrent requests are served by urgency', async () => {
    expect(await take(20, { write: 8, read: 12, background: 12 })).toEqual({ write: 8, read: 4, background: 0 })
  })

  test('each call of a release gets a slot at once, whatever reads and imports wait', async () => {
    for (let release = 0; release < 5; release += 1) {
      for (let call = 0; call < 7; call += 1) {
        expect(await take(20, { write: 1, read: 50, background: 50 })).toMatchObject({ write: 1 })
        await pass('100 milliseconds')
      }
      for (let tick = 0; tick < 4; tick += 1) {
        await take(20, { read: 50, background: 50 })
        await pass('100 milliseconds')
      }
    }
  })

  test('slots become free one by one as the last second passes', async () => {
    await take(20, { write: 5 })
    await pass('600 milliseconds')
    await take(20, { write: 15 })
    await pass('400 milliseconds')
    expect(await take(20, { write: 20 })).toEqual(none)
    await pass('100 milliseconds')
    expect(await take(20, { write: 20 })).toEqual({ ...none, write: 5 })
    await pass('1 day')
    expect(await take(20, { write: 30 })).toEqual({ ...none, write: 20 })
  })

  test.each(['2 hours', '2 seconds'])('a clock set back by %s does not block calls', async (time) => {
    await take(20, { write: 20 })
    await shrinkBudget('sandbox', undefined)
    await pass(`-${time}`)
    expect(await take(20, { write: 30 })).toEqual({ ...none, write: 10 })
    expect(await take(20, { write: 30 })).toEqual(none)
  })

  test('a clock set back a little gives no slot twice', async () => {
    await take(20, { write: 20 })
    await pass('-500 milliseconds')
    expect(await take(20, { write: 30 })).toEqual(none)
  })

  test('a pause from before the clock was set back is ignored', async () => {
    await shrinkBudget('sandbox', 60)
    await pass('-1 hour')
    expect(await take(20, { write: 1 })).toEqual({ ...none, write: 1 })
  })

  test('refusals of the service halve the limit at most once a second, and it grows back in steps', async () => {
    await Promise.all(Array.from({ length: 10 }, () => shrinkBudget('sandbox', undefined)))
    expect(await take(20, { write: 50 })).toEqual({ ...none, write: 10 })
    await pass('2 seconds')
    await shrinkBudget('sandbox', undefined)
    expect(await take(20, { write: 50 })).toEqual({ ...none, write: 5 })
    const grown: number[] = []
    for (let step = 0; step < 9; step += 1) {
      await pass('5 seconds')
      grown.push((await take(20, { write: 50 })).write)
    }
    expect(grown).toEqual([7, 9, 11, 13, 15, 17, 19, 20, 20])
  })

  test('a pause requested by the service applies to all calls, for at most a minute', async () => {
    await shrinkBudget('sandbox', 7)
    expect(await takeCalls('sandbox', 20, { ...none, write: 1 })).toMatchObject({ calls: none, pausedSeconds: 7 })
    await shrinkBudget('sandbox', 3600)
    expect((await takeCalls('sandbox', 20, { ...none, write: 1 })).pausedSeconds).toBe(60)
    await pass('59 seconds')
    expect(await take(20, { write: 1 })).toEqual(none)
    await pass('1 second')
    expect(await take(20, { write: 1 })).toEqual({ ...none, write: 1 })
  })

  test('a limit of one per second still allows background work', async () => {
    expect(await take(1, { background: 3 })).toEqual({ ...none, background: 1 })
  })

  describe('the read quota of a person', () => {
    const person = async () => {
      const db = await database()
      const id = randomUUID()
      await db.insert(people).values({ id, email: `${id}@paydesk.test`, name: 'Somebody', passwordHash: '' })
      return id
    }
    const sumCalls = (all: { calls: number }[]) => all.reduce((sum, { calls }) => sum + calls, 0)

    test('is exact for concurrent requests, and returns when the next minute starts', async () => {
      const id = await person()
      const all = await Promise.all(Array.from({ length: 50 }, () => takeReads(id, 600, 20)))
      expect(sumCalls(all)).toBe(600)
      for (const { milliseconds } of all) expect(milliseconds).toBe(45_000)
    })

    test('starts again each minute, in one row for each person', async () => {
      const id = await person()
      await takeReads(id, 30, 20)
      expect(sumCalls([await takeReads(id, 30, 20), await takeReads(id, 30, 20)])).toBe(10)
      await pass('45 seconds')
      expect(sumCalls([await takeReads(id, 30, 20)])).toBe(20)
      expect(await run(`select reads from person_reads where person_id = '${id}'`)).toEqual([{ reads: 20 }])
    })

    test('is deleted with the person', async () => {
      const id = await person()
      await takeReads(id, 30, 20)
      await run(`delete from people where id = '${id}'`)
      expect(await run(`select reads from person_reads where person_id = '${id}'`)).toEqual([])
    })
  })
})
