import 'server-only'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { escapeIdentifier } from 'pg'

/** Setting of a transaction that contains the accounts whose rows it may read. */
export const accountsSetting = 'paydesk.accounts'

/** Returns the name of the database role that reads for people with an account limit. It is derived from the dashboard's own role. */
export const toLimitedRole = (servingRole: string): string => `${servingRole}_limited`

/**
 * Returns the SQL, to be run by the owner, that limits the limited role to rows of the accounts that a transaction names. Without accounts,
 * that role sees no rows. The dashboard's own role still sees every row: for the sync, for jobs, and for people with a role for the whole
 * platform.
 */
export function buildRowSecuritySql(tables: readonly string[], servingRole: string): string {
  const [serving, limited] = [escapeIdentifier(servingRole), escapeIdentifier(toLimitedRole(servingRole))]
  const accountCondition = `account_id = any ((select string_to_array(current_setting('${accountsSetting}', true), ',')::uuid[])::uuid[])`
  return tables
    .map(escapeIdentifier)
    .map(
      (table) => `
        alter table ${table} enable row level security;
        drop policy if exists every_row on ${table};
        create policy every_row on ${table} to ${serving} using (true) with check (true);
        drop policy if exists own_accounts on ${table};
        create policy own_accounts on ${table} for select to ${limited} using (${accountCondition});
        grant select on ${table} to ${limited};`,
    )
    .join('\n')
}

/** Returns the limited role if this connection may use it; null if there is none, or if it cannot read the mirror tables yet. */
export async function findLimitedRole(db: Pick<PgDatabase<PgQueryResultHKT>, 'execute'>): Promise<string | null> {
  const { rows } = (await db.execute(sql`
    select rolname as name from pg_roles
    where rolname = current_user || '_limited' and pg_has_role(current_user, oid, 'member') and has_table_privilege(oid, 'mirror_payments', 'select')`)) as unknown as {
    rows: { name: string }[]
  }
  return rows[0]?.name ?? null
}
