import 'server-only'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { escapeIdentifier, Pool } from 'pg'
import PgBoss from 'pg-boss'
import { buildRowSecuritySql, toLimitedRoleName } from './limited-role'
import { migrationsFolder } from './migrations'

/**
 * The owner of the tables must run this SQL. The role owns nothing and can create nothing. In
 * `audit` it can only read and add rows, in `audit_head` only read and update them. A new job queue
 * needs a table, which `pgboss.create_queue` creates with the owner's permissions.
 */
const buildGrantsSql = (role: string): string => `
  revoke create on schema public from public;
  grant usage on schema public, drizzle, pgboss to ${role};
  grant select on all tables in schema drizzle to ${role};
  grant select, insert, update, delete on all tables in schema public, pgboss to ${role};
  grant usage, select on all sequences in schema public, pgboss to ${role};
  revoke update, delete on audit from ${role};
  revoke insert, delete on audit_head from ${role};
  alter default privileges in schema pgboss grant select, insert, update, delete on tables to ${role};
  alter function pgboss.create_queue(text, json) security definer;
  alter function pgboss.create_queue(text, json) set search_path = pg_catalog;
`

const accountTablesQuery = `
  select table_name as name from information_schema.columns
  where table_schema = 'public' and table_name like 'mirror\\_%' and column_name = 'account_id'`

/**
 * Limits the rows that the limited role sees. Runs at each migration, because it may have added
 * tables.
 */
async function applyRowSecurity(pool: Pool, servingRole: string): Promise<void> {
  const roleResult = await pool.query('select 1 from pg_roles where rolname = $1', [
    toLimitedRoleName(servingRole),
  ])
  if (roleResult.rowCount === 0) return
  const { rows } = await pool.query<{ name: string }>(accountTablesQuery)
  await pool.query(
    `grant usage on schema public to ${escapeIdentifier(toLimitedRoleName(servingRole))}`,
  )
  await pool.query(
    buildRowSecuritySql(
      rows.map(({ name }) => name),
      servingRole,
    ),
  )
}

async function prepareJobTables(pool: Pool): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schedule: false,
    supervise: false,
  })
  await boss.start()
  await boss.stop({ graceful: false })
}

/** Throws a one-line error if the connection fails or the role does not exist. */
export async function migrateAsOwner({
  url,
  servingRole,
}: {
  url: string
  servingRole: string
}): Promise<void> {
  const pool = new Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: 5000,
    application_name: 'paydesk-migrate',
  })
  try {
    const roleResult = await pool
      .query('select 1 from pg_roles where rolname = $1', [servingRole])
      .catch((error: unknown) => {
        const errorCode =
          error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
        throw new Error(`DATABASE_MIGRATION_URL: no connection to the database (${errorCode})`)
      })
    if (roleResult.rowCount === 0)
      throw new Error('DATABASE_URL: the database knows no such role: create it first')
    await migrate(drizzle({ client: pool }), { migrationsFolder })
    await prepareJobTables(pool)
    await pool.query(buildGrantsSql(escapeIdentifier(servingRole)))
    await applyRowSecurity(pool, servingRole)
  } finally {
    await pool.end()
  }
}
