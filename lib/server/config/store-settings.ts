import 'server-only'
import { resolve } from 'node:path'
import * as z from 'zod'
import { parseVariables } from './parse'
import { commaSeparatedList, findDatabaseUrlFault, publicSigningKey, seconds, signingKey } from './setting-forms'

const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be like postgres://user@host/name', abort: true })
  .superRefine((value, context) => {
    const message = findDatabaseUrlFault(value)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** Settings of the store, which the server and store commands share. */
export const storeShape = z.object({
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_LISTEN_URL: databaseUrl.optional(),
  DATABASE_STATEMENT_SECONDS: seconds.default(30),
  DATABASE_LOCK_SECONDS: seconds.default(10),
  DATABASE_WAIT_SECONDS: seconds.default(15),
  DATA_DIR: z.string().min(1).default('./data'),
  AUDIT_SIGNING_KEY: signingKey.optional(),
  AUDIT_SIGNING_KEYS_PREVIOUS: commaSeparatedList(publicSigningKey),
  DELETIONS_LOST: commaSeparatedList(z.string().regex(/^[0-9a-f]{8}$/, 'must be ids of lines, as the refused start names them')),
  NODE_TLS_REJECT_UNAUTHORIZED: z.literal('1', 'must not be set: with it nobody checks whose certificate is shown').optional(),
})

/** Timeouts of the database in seconds: for a statement, for its wait for a lock, and for the wait for a connection. */
export type StoreTimes = { statement: number; lock: number; connection: number }

/**
 * Returns the store settings: the PostgreSQL URL or data folder, timeouts, audit keys, and permanently lost lines of deletions.jsonl.
 * `listenUrl` is a direct URL, for when `databaseUrl` leads to a connection pooler. Store-only commands parse no other settings.
 */
export function readStoreSettings(): {
  databaseUrl: string | undefined
  listenUrl: string | undefined
  times: StoreTimes
  dataDir: string
  auditSigningKey: string | undefined
  previousAuditKeys: readonly string[]
  lostDeletions: readonly string[]
} {
  const value = parseVariables(storeShape, process.env)
  return {
    databaseUrl: value.DATABASE_URL,
    listenUrl: value.DATABASE_LISTEN_URL,
    times: { statement: value.DATABASE_STATEMENT_SECONDS, lock: value.DATABASE_LOCK_SECONDS, connection: value.DATABASE_WAIT_SECONDS },
    dataDir: resolve(value.DATA_DIR),
    auditSigningKey: value.AUDIT_SIGNING_KEY,
    previousAuditKeys: value.AUDIT_SIGNING_KEYS_PREVIOUS,
    lostDeletions: value.DELETIONS_LOST,
  }
}

const toRoleName = (url: string): string => decodeURIComponent(new URL(url).username)

const migrationShape = z
  .object({
    DATABASE_URL: databaseUrl.optional(),
    DATABASE_MIGRATION_URL: databaseUrl.optional(),
  })
  .superRefine(({ DATABASE_URL: serving, DATABASE_MIGRATION_URL: migrating }, context) => {
    const addIssue = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
    if (!migrating) return
    if (!serving) addIssue('DATABASE_URL', 'must be set beside DATABASE_MIGRATION_URL: it names the role that the dashboard connects as')
    else if (!toRoleName(serving))
      addIssue('DATABASE_URL', 'must name the role that the dashboard connects as, as postgres://role@host/name')
    else if (toRoleName(serving) === toRoleName(migrating)) addIssue('DATABASE_MIGRATION_URL', 'must name another role than DATABASE_URL')
  })

/**
 * Returns the URL for migrations, with the owner role, and the role that the dashboard uses. Null if one role does both. Only the migration
 * command calls this: the server does not need the owner's password.
 */
export function readMigrationSettings(): { url: string; servingRole: string } | null {
  const { DATABASE_URL: serving, DATABASE_MIGRATION_URL: url } = parseVariables(migrationShape, process.env)
  return url && serving ? { url, servingRole: toRoleName(serving) } : null
}
