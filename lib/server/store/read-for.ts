import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { accountsSetting } from './limited'
import { type Db, store } from './store'

/**
 * What a statement reads for somebody who is limited to some accounts (`null`: to none). The condition is in the statement already; on PostgreSQL the database holds it
 * as well, so that a statement that forgot it shows nothing of anybody else.
 */
export async function readFor<Row>(accounts: readonly string[] | null, statement: SQL): Promise<Row[]> {
  const { db, limitedRole } = await store()
  const read = async (from: Db) => ((await from.execute(statement)) as unknown as { rows: Row[] }).rows
  if (accounts === null || limitedRole === null) return read(db)
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('role', ${limitedRole}, true), set_config(${accountsSetting}, ${accounts.join(',')}, true)`)
      return read(tx)
    },
    { accessMode: 'read only' },
  )
}
