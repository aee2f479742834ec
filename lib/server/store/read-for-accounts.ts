import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { accountsSetting } from './limited-role'
import { type Db, store } from './store'

/**
 * Runs a statement for a person who is limited to these accounts; null means no limit. The statement must already contain the condition.
 * PostgreSQL enforces it as well, so that a statement without the condition returns no rows of other accounts.
 */
export async function readForAccounts<Row>(accounts: readonly string[] | null, statement: SQL): Promise<Row[]> {
  const { db, limitedRole } = await store()
  const runStatement = async (from: Db) => ((await from.execute(statement)) as unknown as { rows: Row[] }).rows
  if (accounts === null || limitedRole === null) return runStatement(db)
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('role', ${limitedRole}, true), set_config(${accountsSetting}, ${accounts.join(',')}, true)`)
      return runStatement(tx)
    },
    { accessMode: 'read only' },
  )
}
