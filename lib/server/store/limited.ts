import 'server-only'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { escapeIdentifier } from 'pg'

/** The setting of a transaction that says whose rows it may read. */
export const accountsSetting = 'paydesk.accounts'

/** The role that reads for people of single accounts, named after the one the dashboard connects as. */
export const limitedRoleOf = (servingRole: string): string => `${servingRole}_limited`

/**
 * The statements of the owner by which some tables show that role the rows of the accounts a transaction names, and none where it names none. To the dashboard's own
 * role they show every row, as before: for the sync, for jobs, and for people of the whole platform.
 */
export function limits(tables: readonly string[], servingRole: string): string {
  const [serving, limited] = [escapeIdentifier(servingRole), escapeIdentifier(limitedRoleOf(servingRole))]
  const own = `account_id = any ((select string_to_array(current_setting('${accountsSetting}', true), ',')::uuid[])::uuid[])`
  return tables
    .map(escapeIdentifier)
    .map(
      (table) => `
        alter table ${table} enable row level security;
        drop policy if exists every_row on ${table};
        create policy every_row on ${table} to ${serving} using (true) with check (true);
        drop policy if exists own_accounts on ${table};
        create policy own_accounts on ${table} for select to ${limited} using (${own});
        grant select on ${table} to ${limited};`,
    )
    .join('\n')
}

/** The role for limited readings, as this connection may take it; null where there is none, or the owner has not given it its tables yet. */
export async function findLimitedRole(db: Pick<PgDatabase<PgQueryResultHKT>, 'execute'>): Promise<string | null> {
  const { rows } = (await db.execute(sql`
    select rolname as name from pg_roles
    where rolname = current_user || '_limited' and pg_has_role(current_user, oid, 'member') and has_table_privilege(oid, 'mirror_payments', 'select')`)) as unknown as {
    rows: { name: string }[]
  }
  return rows[0]?.name ?? null
}
