import 'server-only'
import { integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { ErrorCode } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Environment, Resource } from '@/lib/operations/define'

/** What is read: what waits for people, then all there is, then what changed, and now and then all of it again. */
export type SyncPhase = 'waiting' | 'import' | 'changes' | 'full'

/**
 * The next page to read. `list` is the place of the list in the plan, `account` whose list it is (null: the platform's), `since` the time of the service
 * that lists are cut at or that changes are asked from. `unreadable` are rows that came so far and could not be read.
 */
export type SyncCursor = { list: number; account: string | null; page: number; since: string | null; unreadable?: LostRow[] }

/** A row that could not be read, in a list of the account. */
export type LostRow = UnreadableRow & { account: string | null }

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** How far the mirror has come with each resource. A row is written in the transaction of the objects it speaks of. */
export const syncState = pgTable(
  'sync_state',
  {
    environment: text('environment').$type<Environment>().notNull(),
    resource: text('resource').$type<Resource>().notNull(),
    phase: text('phase').$type<SyncPhase>().notNull(),
    /** Null before the first page and after the last. */
    cursor: jsonb('cursor').$type<SyncCursor>(),
    /** Rows read since it began, and how many there were by the service's count, where it counts. */
    done: integer('done').notNull().default(0),
    total: integer('total'),
    /** Rows that could not be read when all was read last. */
    unreadable: jsonb('unreadable').$type<LostRow[]>(),
    startedAt: at('started_at'),
    finishedAt: at('finished_at'),
    checkedAt: at('checked_at'),
    /** Why nothing is read at present: the code of the failure. */
    pausedReason: text('paused_reason').$type<ErrorCode>(),
    pausedSince: at('paused_since'),
    /** When it is tried again, and how often that failed. */
    retryAt: at('retry_at'),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.environment, table.resource, table.phase] })],
)
