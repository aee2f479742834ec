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

/** Source of a mirror row: a webhook, the sync, or the response to another read or write. */
export type SeenBy = 'webhook' | 'sync' | 'read' | 'write'

/**
 * Columns of every mirror table. `account_id` is null while the account is unknown, and for objects of the platform. `object` is the masked
 * object in list form, without any unmasked value or token. `version_at` is its `updated_at`, or the time of its last state change if it
 * has none.
 */
export const mirrorColumns = () => ({
  environment: text('environment').$type<Environment>().notNull(),
  id: uuid('id').notNull(),
  accountId: uuid('account_id'),
  object: jsonb('object').notNull(),
  versionAt: timestamptz('version_at'),
  changedAt: timestamptz('changed_at'),
  seenAt: timestamptz('seen_at').notNull(),
  seenBy: text('seen_by').$type<SeenBy>().notNull(),
})

/** The object from its last single read, with more fields than in a list; null if there was none. It may be older than `object`. */
export const recordColumns = () => ({ record: jsonb('record'), recordSeenAt: timestamptz('record_seen_at') })

/** The last account in which the object was searched, in the order of account ids, while its account is unknown. */
export const accountSearchColumns = () => ({ accountAsked: uuid('account_asked') })

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
type Sortable = AnyPgColumn

/** A sort column of an index. Nulls are first in ascending and last in descending order, so that one index serves both. */
export const sortedNullsFirst = (column: Sortable): SQL => sql`${column} nulls first`
