import 'server-only'
import { integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { ErrorCode } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Environment, Resource } from '@/lib/operations/define'

/** Phase of reading: objects that wait for people, then all objects, then changes, and at intervals all objects again. */
export type SyncPhase = 'waiting' | 'import' | 'changes' | 'full'

/**
 * The next page to read. `list` is the index of the list in the plan, `account` the account of the list (null: the platform). `since` is
 * the service time at which lists are cut, or from which changes are requested. `unreadable` contains the unreadable rows so far.
 */
export type SyncCursor = { list: number; account: string | null; page: number; since: string | null; unreadable?: LostRow[] }

/** An unreadable row, in a list of the account. */
export type LostRow = UnreadableRow & { account: string | null }

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Sync progress of each resource. A row is written in the transaction of the objects it describes. */
export const syncState = pgTable(
  'sync_state',
  {
    environment: text('environment').$type<Environment>().notNull(),
    resource: text('resource').$type<Resource>().notNull(),
    phase: text('phase').$type<SyncPhase>().notNull(),
    /** Null before the first page and after the last. */
    cursor: jsonb('cursor').$type<SyncCursor>(),
    /** Rows read since the start, and the service's count of them, if it counts. */
    done: integer('done').notNull().default(0),
    total: integer('total'),
    /** Rows that were unreadable in the last full read. */
    unreadable: jsonb('unreadable').$type<LostRow[]>(),
    startedAt: at('started_at'),
    finishedAt: at('finished_at'),
    checkedAt: at('checked_at'),
    /** Code of the failure that pauses reading. */
    pausedReason: text('paused_reason').$type<ErrorCode>(),
    pausedSince: at('paused_since'),
    /** Time of the next retry, and the number of failures. */
    retryAt: at('retry_at'),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.environment, table.resource, table.phase] })],
)
