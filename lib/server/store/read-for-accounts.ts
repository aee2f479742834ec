import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { accountsSettingName } from './limited-role'
import { type Db, getStore } from './store'

/**
 * Without `accountIds` (null), the rows of all accounts are read. The query itself must filter by
 * account. If the database has the limited role, PostgreSQL enforces the filter too.
 */
export async function readRowsForAccounts<Row>(
  accountIds: readonly string[] | null,
  statement: SQL,
): Promise<Row[]> {
  const { db, limitedRole } = await getStore()
  const runStatement = async (connection: Db) =>
    ((await connection.execute(statement)) as unknown as { rows: Row[] }).rows
  if (accountIds === null || limitedRole === null) return runStatement(db)
  return db.transaction(
    async (tx) => {
      await tx.execute(
        sql`select set_config('role', ${limitedRole}, true), set_config(${accountsSettingName}, ${accountIds.join(',')}, true)`,
      )
      return runStatement(tx)
    },
    { accessMode: 'read only' },
  )
}
