import 'server-only'
import { resolve } from 'node:path'
import * as z from 'zod'
import { parseVariables } from './parse'
import {
  createListShape,
  findDatabaseUrlFault,
  publicKeyShape,
  secondsShape,
  signingKeyShape,
} from './setting-forms'

const databaseUrlShape = z
  .url({
    protocol: /^postgres(ql)?$/,
    error: 'must be like postgres://user@host/name',
    abort: true,
  })
  .superRefine((value, context) => {
    const databaseUrlFault = findDatabaseUrlFault(value)
    if (databaseUrlFault) context.addIssue({ code: 'custom', message: databaseUrlFault })
  })

/** The server and the commands that work on the store share these settings. */
export const storeShape = z.object({
  DATABASE_URL: databaseUrlShape.optional(),
  DATABASE_LISTEN_URL: databaseUrlShape.optional(),
  DATABASE_STATEMENT_SECONDS: secondsShape.default(30),
  DATABASE_LOCK_SECONDS: secondsShape.default(10),
  DATABASE_WAIT_SECONDS: secondsShape.default(15),
  DATA_DIR: z.string().min(1).default('./data'),
  AUDIT_SIGNING_KEY: signingKeyShape.optional(),
  AUDIT_SIGNING_KEYS_PREVIOUS: createListShape(publicKeyShape),
  DELETIONS_LOST: createListShape(
    z.string().regex(/^[0-9a-f]{8}$/, 'must be ids of lines, as the refused start names them'),
  ),
  NODE_TLS_REJECT_UNAUTHORIZED: z
    .literal('1', 'must not be set: with it nobody checks whose certificate is shown')
    .optional(),
})

/**
 * Timeouts in seconds: of a statement, of its wait for a lock, and of the wait for a connection.
 */
export type StoreTimeouts = { statement: number; lock: number; connection: number }

/**
 * Commands that work only on the store need no other settings. `listenUrl` leads directly to
 * PostgreSQL if `databaseUrl` leads to a connection pooler. `lostDeletions` are ids of permanently
 * lost lines of deletions.jsonl.
 */
export function readStoreSettings(): {
  databaseUrl: string | undefined
  listenUrl: string | undefined
  times: StoreTimeouts
  dataDir: string
  auditSigningKey: string | undefined
  previousAuditKeys: readonly string[]
  lostDeletions: readonly string[]
} {
  const storeVariables = parseVariables(storeShape, process.env)
  return {
    databaseUrl: storeVariables.DATABASE_URL,
    listenUrl: storeVariables.DATABASE_LISTEN_URL,
    times: {
      statement: storeVariables.DATABASE_STATEMENT_SECONDS,
      lock: storeVariables.DATABASE_LOCK_SECONDS,
      connection: storeVariables.DATABASE_WAIT_SECONDS,
    },
    dataDir: resolve(storeVariables.DATA_DIR),
    auditSigningKey: storeVariables.AUDIT_SIGNING_KEY,
    previousAuditKeys: storeVariables.AUDIT_SIGNING_KEYS_PREVIOUS,
    lostDeletions: storeVariables.DELETIONS_LOST,
  }
}

const toRoleName = (url: string): string => decodeURIComponent(new URL(url).username)

const migrationShape = z
  .object({
    DATABASE_URL: databaseUrlShape.optional(),
    DATABASE_MIGRATION_URL: databaseUrlShape.optional(),
  })
  .superRefine(({ DATABASE_URL: servingUrl, DATABASE_MIGRATION_URL: migrationUrl }, context) => {
    const addIssue = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    if (!migrationUrl) return
    if (!servingUrl)
      addIssue(
        'DATABASE_URL',
        'must be set beside DATABASE_MIGRATION_URL: it names the role that the dashboard connects as',
      )
    else if (!toRoleName(servingUrl))
      addIssue(
        'DATABASE_URL',
        'must name the role that the dashboard connects as, as postgres://role@host/name',
      )
    else if (toRoleName(servingUrl) === toRoleName(migrationUrl))
      addIssue('DATABASE_MIGRATION_URL', 'must name another role than DATABASE_URL')
  })

/**
 * Null if one role owns the tables and serves the dashboard. Only the migration command calls this
 * function: the server does not need the owner's password.
 */
export function readMigrationSettings(): { url: string; servingRole: string } | null {
  const { DATABASE_URL: servingUrl, DATABASE_MIGRATION_URL: url } = parseVariables(
    migrationShape,
    process.env,
  )
  return url && servingUrl ? { url, servingRole: toRoleName(servingUrl) } : null
}
