import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  customType,
  jsonb,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'

export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const now = sql`now()`

export const bytea = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
})

/** Source of a mirrored object. `read`: a read other than those of the sync. */
export type SeenBy = 'webhook' | 'sync' | 'read' | 'write'

/**
 * An object belongs to the account `account_id`, or to the platform (`platform_owned`). If neither
 * is set, its owner is not known yet. Never are both set. `object` has
 * the fields that a list returns, masked and without tokens. `version_at` is the object's
 * `updated_at`; if it has none, the time of its last state change.
 */
export const createMirrorColumns = () => ({
  environment: text('environment').$type<Environment>().notNull(),
  id: uuid('id').notNull(),
  accountId: uuid('account_id'),
  platformOwned: boolean('platform_owned').notNull().default(false),
  object: jsonb('object').notNull(),
  versionAt: timestamptz('version_at'),
  changedAt: timestamptz('changed_at'),
  seenAt: timestamptz('seen_at').notNull(),
  seenBy: text('seen_by').$type<SeenBy>().notNull(),
})

/** The object from its last single read. It may be older than `object`. Null if there was none. */
export const createRecordColumns = () => ({
  record: jsonb('record'),
  recordSeenAt: timestamptz('record_seen_at'),
})

/**
 * While the account of an object is unknown, the sync searches the accounts in the order of their
 * ids. This is the last account that it searched.
 */
export const createAccountSearchColumns = () => ({ accountAsked: uuid('account_asked') })

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
type SortableColumn = AnyPgColumn

/** Nulls are first ascending and last descending, so that one index serves both. */
export const sortedNullsFirst = (column: SortableColumn): SQL => sql`${column} nulls first`
