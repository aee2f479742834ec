import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'

export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const now = sql`now()`

export const bytea = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
})

/**
 * Where the object in a mirror row came from: a webhook, the sync, or the response to any other
 * read or to a write.
 */
export type SeenBy = 'webhook' | 'sync' | 'read' | 'write'

/**
 * Columns of every mirror table, which contains our copies of the service's objects. `account_id`
 * is null while the account is unknown, and for objects of the platform. `object` has the fields
 * that a list returns, masked and without tokens. `version_at` is the object's `updated_at`; if it
 * has none, the time of its last state change.
 */
export const createMirrorColumns = () => ({
  environment: text('environment').$type<Environment>().notNull(),
  id: uuid('id').notNull(),
  accountId: uuid('account_id'),
  object: jsonb('object').notNull(),
  versionAt: timestamptz('version_at'),
  changedAt: timestamptz('changed_at'),
  seenAt: timestamptz('seen_at').notNull(),
  seenBy: text('seen_by').$type<SeenBy>().notNull(),
})

/**
 * The object from its last single read, with more fields than in a list; null if there was none. It
 * may be older than `object`.
 */
export const createRecordColumns = () => ({
  record: jsonb('record'),
  recordSeenAt: timestamptz('record_seen_at'),
})

/**
 * Accounts are searched for an object whose account is unknown, in the order of account ids. This
 * is the last account that was searched.
 */
export const createAccountSearchColumns = () => ({ accountAsked: uuid('account_asked') })

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
type SortableColumn = AnyPgColumn

/**
 * A sort column of an index. Nulls are first in ascending and last in descending order, so that one
 * index serves both.
 */
export const sortedNullsFirst = (column: SortableColumn): SQL => sql`${column} nulls first`
