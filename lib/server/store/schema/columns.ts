import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'

export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const now = sql`now()`

export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
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
  versionAt: at('version_at'),
  changedAt: at('changed_at'),
  seenAt: at('seen_at').notNull(),
  seenBy: text('seen_by').$type<SeenBy>().notNull(),
})

/** The object from its last single read, with more fields than in a list; null if there was none. It may be older than `object`. */
export const readAlone = () => ({ record: jsonb('record'), recordSeenAt: at('record_seen_at') })

/** The last account in which the object was searched, in the order of account ids, while its account is unknown. */
export const lookedFor = () => ({ accountAsked: uuid('account_asked') })

export const words = customType<{ data: string }>({ dataType: () => 'tsvector' })
type Sortable = AnyPgColumn

/** A sort column of an index. Nulls are first in ascending and last in descending order, so that one index serves both. */
export const sorted = (column: Sortable): SQL => sql`${column} nulls first`
