import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallPriority } from '@/lib/server/auth/scoped-account'
import { shrinkBudget, takeCallsFromBudget } from '@/lib/server/service/budget'
import { grantReadCalls } from '@/lib/server/service/read-quota'
import { people } from '@/lib/server/store/schema/people'
import { closeStore, getDatabase, getStore } from '@/lib/server/store/store'
import { type PostgresServer, startPostgresServer } from './harness/postgres'
import { storeKinds } from './harness/store-kinds'

const runSql = async (statement: string) => {
  const queryResult = await (await getDatabase()).execute(sql.raw(statement))
  return (queryResult as unknown as { rows: Record<string, unknown>[] }).rows
}

/**
 * Replaces the database clock with one that the test sets: our function `clock_timestamp` is first
 * in the search path.
 */
async function stopDatabaseClock(): Promise<void> {
  await runSql('create table stopped_clock (at timestamptz not null)')
  await runSql(
    "create function public.clock_timestamp() returns timestamptz language sql as 'select at from stopped_clock'",
  )
  // `set` changes this session, the only one of PGlite. `alter role` changes only new sessions, so
  // those of PostgreSQL are closed.
  await runSql('set search_path = public, pg_catalog')
  await runSql('alter role current_user set search_path = public, pg_catalog')
  if (!(await getStore()).alone) await closeStore()
}

const setDatabaseClock = (timestamp: string) =>
  runSql(
    `with gone as (delete from stopped_clock) insert into stopped_clock values ('${timestamp}')`,
  )
const advanceDatabaseClock = (time: string) =>
  runSql(`update stopped_clock set at = at + interval '${time}'`)

const zeroCallCounts = { write: 0, read: 0, background: 0 }
const takeTestCalls = async (
  limit: number,
  requestedCalls: Partial<Record<CallPriority, number>>,
) => (await takeCallsFromBudget('sandbox', limit, { ...zeroCallCounts, ...requestedCalls })).calls

describe.each(storeKinds)('on %s', (engine) => {
  let postgres: PostgresServer | undefined
  let dataDir: string

  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-limits-'))
    if (engine === 'PostgreSQL') postgres = await startPostgresServer()
    process.env.DATA_DIR = dataDir
    process.env.DATABASE_URL = postgres?.url ?? ''
    await stopDatabaseClock()
  })
  afterAll(async () => {
    await closeStore()
    await postgres?.stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })
  beforeEach(async () => {
    await setDatabaseClock('2026-11-20 12:00:15Z')
    await runSql('delete from service_budgets')
  })

  test('fifty concurrent callers take exactly the available slots', async () => {
    const grantedCallCounts = await Promise.all(
      Array.from({ length: 50 }, () => takeTestCalls(20, { write: 1 })),
    )
    expect(grantedCallCounts.reduce((sum, { write }) => sum + write, 0)).toBe(20)
  })

  test('reads leave two fifths to writes, and background work leaves half to people', async () => {
    expect(await takeTestCalls(20, { background: 50 })).toEqual({
      ...zeroCallCounts,
      background: 10,
    })
    expect(await takeTestCalls(20, { read: 50, background: 5 })).toEqual({
      ...zeroCallCounts,
      read: 2,
    })
    expect(await takeTestCalls(20, { write: 50, read: 50 })).toEqual({
      ...zeroCallCounts,
      write: 8,
    })
  })

  test('concurrent requests are served by urgency', async () => {
    expect(await takeTestCalls(20, { write: 8, read: 12, background: 12 })).toEqual({
      write: 8,
      read: 4,
      background: 0,
    })
  })

  test('each call of a release gets a slot at once, whatever reads and imports wait', async () => {
    for (let release = 0; release < 5; release += 1) {
      for (let call = 0; call < 7; call += 1) {
        expect(await takeTestCalls(20, { write: 1, read: 50, background: 50 })).toMatchObject({
          write: 1,
        })
        await advanceDatabaseClock('100 milliseconds')
      }
      for (let tick = 0; tick < 4; tick += 1) {
        await takeTestCalls(20, { read: 50, background: 50 })
        await advanceDatabaseClock('100 milliseconds')
      }
    }
  })

  test('slots become free one by one as the last second passes', async () => {
    await takeTestCalls(20, { write: 5 })
    await advanceDatabaseClock('600 milliseconds')
    await takeTestCalls(20, { write: 15 })
    await advanceDatabaseClock('400 milliseconds')
    expect(await takeTestCalls(20, { write: 20 })).toEqual(zeroCallCounts)
    await advanceDatabaseClock('100 milliseconds')
    expect(await takeTestCalls(20, { write: 20 })).toEqual({ ...zeroCallCounts, write: 5 })
    await advanceDatabaseClock('1 day')
    expect(await takeTestCalls(20, { write: 30 })).toEqual({ ...zeroCallCounts, write: 20 })
  })

  test.each(['2 hours', '2 seconds'])(
    'a clock set back by %s does not block calls',
    async (time) => {
      await takeTestCalls(20, { write: 20 })
      await shrinkBudget('sandbox', undefined)
      await advanceDatabaseClock(`-${time}`)
      expect(await takeTestCalls(20, { write: 30 })).toEqual({ ...zeroCallCounts, write: 10 })
      expect(await takeTestCalls(20, { write: 30 })).toEqual(zeroCallCounts)
    },
  )

  test('a clock set back a little gives no slot twice', async () => {
    await takeTestCalls(20, { write: 20 })
    await advanceDatabaseClock('-500 milliseconds')
    expect(await takeTestCalls(20, { write: 30 })).toEqual(zeroCallCounts)
  })

  test('a pause from before the clock was set back is ignored', async () => {
    await shrinkBudget('sandbox', 60)
    await advanceDatabaseClock('-1 hour')
    expect(await takeTestCalls(20, { write: 1 })).toEqual({ ...zeroCallCounts, write: 1 })
  })

  test('refusals of the service halve the limit at most once a second, and it grows back in steps', async () => {
    await Promise.all(Array.from({ length: 10 }, () => shrinkBudget('sandbox', undefined)))
    expect(await takeTestCalls(20, { write: 50 })).toEqual({ ...zeroCallCounts, write: 10 })
    await advanceDatabaseClock('2 seconds')
    await shrinkBudget('sandbox', undefined)
    expect(await takeTestCalls(20, { write: 50 })).toEqual({ ...zeroCallCounts, write: 5 })
    const allowedWriteCounts: number[] = []
    for (let step = 0; step < 9; step += 1) {
      await advanceDatabaseClock('5 seconds')
      allowedWriteCounts.push((await takeTestCalls(20, { write: 50 })).write)
    }
    expect(allowedWriteCounts).toEqual([7, 9, 11, 13, 15, 17, 19, 20, 20])
  })

  test('a pause requested by the service applies to all calls, for at most a minute', async () => {
    await shrinkBudget('sandbox', 7)
    expect(await takeCallsFromBudget('sandbox', 20, { ...zeroCallCounts, write: 1 })).toMatchObject(
      {
        calls: zeroCallCounts,
        pausedSeconds: 7,
      },
    )
    await shrinkBudget('sandbox', 3600)
    expect(
      (await takeCallsFromBudget('sandbox', 20, { ...zeroCallCounts, write: 1 })).pausedSeconds,
    ).toBe(60)
    await advanceDatabaseClock('59 seconds')
    expect(await takeTestCalls(20, { write: 1 })).toEqual(zeroCallCounts)
    await advanceDatabaseClock('1 second')
    expect(await takeTestCalls(20, { write: 1 })).toEqual({ ...zeroCallCounts, write: 1 })
  })

  test('a limit of one per second still allows background work', async () => {
    expect(await takeTestCalls(1, { background: 3 })).toEqual({ ...zeroCallCounts, background: 1 })
  })

  describe('the read quota of a person', () => {
    const createPerson = async () => {
      const db = await getDatabase()
      const id = randomUUID()
      await db
        .insert(people)
        .values({ id, email: `${id}@paydesk.test`, name: 'Somebody', passwordHash: '' })
      return id
    }
    const sumCalls = (all: { calls: number }[]) => all.reduce((sum, { calls }) => sum + calls, 0)

    test('is exact for concurrent requests, and returns when the next minute starts', async () => {
      const id = await createPerson()
      const grantedReadCounts = await Promise.all(
        Array.from({ length: 50 }, () => grantReadCalls(id, 600, 20)),
      )
      expect(sumCalls(grantedReadCounts)).toBe(600)
      for (const { milliseconds } of grantedReadCounts) expect(milliseconds).toBe(45_000)
    })

    test('starts again each minute, in one row for each person', async () => {
      const id = await createPerson()
      await grantReadCalls(id, 30, 20)
      expect(sumCalls([await grantReadCalls(id, 30, 20), await grantReadCalls(id, 30, 20)])).toBe(
        10,
      )
      await advanceDatabaseClock('45 seconds')
      expect(sumCalls([await grantReadCalls(id, 30, 20)])).toBe(20)
      expect(await runSql(`select reads from person_reads where person_id = '${id}'`)).toEqual([
        { reads: 20 },
      ])
    })

    test('is deleted with the person', async () => {
      const id = await createPerson()
      await grantReadCalls(id, 30, 20)
      await runSql(`delete from people where id = '${id}'`)
      expect(await runSql(`select reads from person_reads where person_id = '${id}'`)).toEqual([])
    })
  })
})
