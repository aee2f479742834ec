import { Client } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { closeStore, database, store } from '@/lib/server/store/store'
import { openOwnStore } from './harness/own-store'
import type { StoreKind } from './harness/store-kinds'

let closeOwnStore = async () => {}
afterEach(() => closeOwnStore())

const readOutcome = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: Error) => error.message,
  )

async function countDeskConnections(): Promise<number> {
  const client = new Client({ connectionString: process.env.DATABASE_URL, application_name: 'test' })
  await client.connect()
  const { rows } = await client.query(`select count(*)::int as count from pg_stat_activity where application_name like 'paydesk%'`)
  await client.end()
  return rows[0].count
}

describe.each<StoreKind>(['PostgreSQL', 'PGlite'])('a store on %s whose migrations fail', (kind) => {
  test('is closed after each attempt, so that the next one has the same error', async () => {
    closeOwnStore = await openOwnStore(kind)
    const db = await database()
    await db.execute('delete from drizzle.__drizzle_migrations')
    await closeStore()
    const [first, second] = [await readOutcome(store()), await readOutcome(store())]
    expect(first).not.toBe('opened')
    expect(second).toBe(first)
    if (kind === 'PostgreSQL') expect(await countDeskConnections()).toBe(0)
  })
})
