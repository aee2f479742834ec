import { Client } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { closeStore, getDatabase, getStore } from '@/lib/server/store/store'
import { openTestStore } from './harness/own-store'
import type { StoreKind } from './harness/store-kinds'
import { waitUntil } from './harness/wait-until'

let closeOwnStore = async () => {}
afterEach(() => closeOwnStore())

const describeOpenOutcome = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: Error) => error.message,
  )

async function countDashboardConnections(): Promise<number> {
  const client = new Client({
    connectionString: process.env.DATABASE_URL,
    application_name: 'test',
  })
  await client.connect()
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity where application_name like 'paydesk%'`,
  )
  await client.end()
  return rows[0].count
}

describe.each<StoreKind>(['PostgreSQL', 'PGlite'])(
  'a store on %s whose migrations fail',
  (kind) => {
    test('is closed after each attempt, so that the next one has the same error', async () => {
      closeOwnStore = await openTestStore(kind)
      const db = await getDatabase()
      await db.execute('delete from drizzle.__drizzle_migrations')
      await closeStore()
      const [firstOutcome, secondOutcome] = [
        await describeOpenOutcome(getStore()),
        await describeOpenOutcome(getStore()),
      ]
      expect(firstOutcome).not.toBe('opened')
      expect(secondOutcome).toBe(firstOutcome)
      // The server lists a connection for a moment after its client has closed it.
      if (kind === 'PostgreSQL')
        await waitUntil('the connections to be gone', async () =>
          (await countDashboardConnections()) === 0 ? true : null,
        )
    })
  },
)
