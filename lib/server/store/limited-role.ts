import 'server-only'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { escapeIdentifier } from 'pg'

/** PostgreSQL setting with the ids of the accounts whose rows a transaction may read. */
export const accountsSettingName = 'paydesk.accounts'

/** Database role of the reads for people who may see only some accounts. */
export const toLimitedRoleName = (servingRole: string): string => `${servingRole}_limited`

const ownAccountsCondition = `account_id = any ((select string_to_array(current_setting('${accountsSettingName}', true), ',')::uuid[])::uuid[])`

/** The column of a payment with the id of a row of the table. */
const paymentColumns: Readonly<Record<string, string>> = {
  mirror_customers: 'customer_id',
  mirror_paykeys: 'paykey_id',
}

/**
 * Also the platform's customers and paykeys with a payment of an own account (a marketplace). The
 * policy of the payments limits the inner query.
 */
function toOwnRowsCondition(table: string): string {
  const paymentColumn = paymentColumns[table]
  if (!paymentColumn) return ownAccountsCondition
  return `${ownAccountsCondition} or (platform_owned and exists (select from mirror_payments p where p.environment = ${table}.environment and p.${paymentColumn} = ${table}.id))`
}

/**
 * The owner of the tables must run this SQL. The limited role then sees only rows of the accounts
 * in `accountsSettingName`, and none without that setting. Paydesk's own role (`servingRole`) still
 * sees every row, for the sync, background jobs, and people with a role for the whole platform.
 */
export function buildRowSecuritySql(tables: readonly string[], servingRole: string): string {
  const [servingRoleSql, limitedRoleSql] = [
    escapeIdentifier(servingRole),
    escapeIdentifier(toLimitedRoleName(servingRole)),
  ]
  return tables
    .map((name) => ({ name, table: escapeIdentifier(name) }))
    .map(
      ({ name, table }) => `
        alter table ${table} enable row level security;
        drop policy if exists every_row on ${table};
        create policy every_row on ${table} to ${servingRoleSql} using (true) with check (true);
        drop policy if exists own_accounts on ${table};
        create policy own_accounts on ${table} for select to ${limitedRoleSql} using (${toOwnRowsCondition(name)});
        grant select on ${table} to ${limitedRoleSql};`,
    )
    .join('\n')
}

/** Null if no limited role exists, it cannot be used, or it may not read the mirror tables yet. */
export async function findLimitedRole(
  db: Pick<PgDatabase<PgQueryResultHKT>, 'execute'>,
): Promise<string | null> {
  const { rows } = (await db.execute(sql`
    select rolname as name from pg_roles
    where rolname = current_user || '_limited' and pg_has_role(current_user, oid, 'member') and has_table_privilege(oid, 'mirror_payments', 'select')`)) as unknown as {
    rows: { name: string }[]
  }
  return rows[0]?.name ?? null
}
