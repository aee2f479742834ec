import 'server-only'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { bytea, now, timestamptz } from './columns'
import { people } from './people'

/**
 * Keys of our own, such as the key of the pseudonyms, encrypted with the configured encryption key.
 * When that key is rotated, they are only re-encrypted, so that hashes made with them stay
 * comparable.
 */
export const storedKeys = pgTable('kept_keys', {
  name: text('name').primaryKey(),
  value: bytea('value').notNull(),
})

/** Each transaction that appends to the audit locks this row, so that `seq` has no gaps. */
export const auditHead = pgTable('audit_head', {
  id: integer('id').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
})

/** Triggers refuse everything but inserts. `body` is canonical JSON without personal data. */
export const audit = pgTable('audit', {
  seq: bigint('seq', { mode: 'number' }).primaryKey(),
  body: text('body').notNull(),
  prev: text('prev').notNull(),
  hash: text('hash').notNull(),
})

/**
 * One row per file of signed heads, which each instance keeps in DATA_DIR. A signed head proves the
 * state of the audit chain. `count` is the number of heads, `link` the hash of the last one. A file
 * with fewer heads was cut, emptied or removed.
 */
export const auditHeadFiles = pgTable('audit_head_files', {
  id: uuid('id').primaryKey(),
  count: integer('count').notNull(),
  link: text('link').notNull(),
  /** Sequence number of the audit row that the last head signs. */
  seq: bigint('seq', { mode: 'number' }).notNull(),
})

/** Requests for service operations, without body and query. Kept for 90 days. */
export const requestLog = pgTable(
  'request_log',
  {
    id: uuid('id').primaryKey(),
    at: timestamptz('at').notNull().default(now),
    environment: text('environment').$type<Environment>().notNull(),
    operation: text('operation').notNull(),
    accountId: uuid('account_id'),
    /** `<resource>/<id>`, or null for a search. */
    target: text('target'),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => people.id),
    requestId: text('request_id').notNull(),
    apiRequestId: text('api_request_id'),
    actionId: uuid('action_id'),
    status: integer('status').notNull(),
    /** Milliseconds from the arrival of the request to our response. */
    tookMs: integer('took_ms').notNull(),
    attempts: integer('attempts').notNull().default(1),
    replayed: boolean('replayed').notNull().default(false),
    errorCode: text('error_code'),
    /** The service's refusal text, without values that a person typed. */
    errorDetail: text('error_detail'),
  },
  (table) => [
    index('request_log_at').on(table.environment, table.at.desc().nullsFirst()),
    index('request_log_target').on(table.environment, table.target, table.at.desc().nullsFirst()),
    index('request_log_request').on(table.requestId),
    index('request_log_api_request').on(table.apiRequestId),
    index('request_log_action').on(table.actionId),
    index('request_log_operation').on(
      table.environment,
      table.operation,
      table.at.desc().nullsFirst(),
    ),
    index('request_log_actor').on(table.environment, table.actorId, table.at.desc().nullsFirst()),
    index('request_log_account').on(
      table.environment,
      table.accountId,
      table.at.desc().nullsFirst(),
    ),
    index('request_log_wrong')
      .on(table.environment, table.at.desc().nullsFirst())
      .where(sql`status >= 400 or error_code is not null`),
    index('request_log_error').on(table.environment, table.errorCode, table.at.desc().nullsFirst()),
  ],
)

/** The number of rows in the last hour limits further reveals. */
export const reveals = pgTable(
  'reveals',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    at: timestamptz('at').notNull().default(now),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    environment: text('environment').$type<Environment>().notNull(),
    operation: text('operation').notNull(),
    target: text('target').notNull(),
  },
  (table) => [index('reveals_actor').on(table.actorId, table.at.desc().nullsFirst())],
)

/** The number of rows in the last hour limits further uploads. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    at: timestamptz('at').notNull().default(now),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
  },
  (table) => [index('uploads_actor').on(table.actorId, table.at.desc().nullsFirst())],
)

/**
 * `email_hash` is the keyed hash of an email address or of a known device. After ten failures,
 * sign-ins with either are blocked for half an hour.
 */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    emailHash: text('email_hash').primaryKey(),
    failures: integer('failures').notNull().default(0),
    lastAt: timestamptz('last_at').notNull().default(now),
    lockedUntil: timestamptz('locked_until'),
  },
  (table) => [index('sign_in_failures_last').on(table.lastAt)],
)

/**
 * Networks are stored by keyed hash. The number of failed sign-ins is stored as the time `wholeAt`
 * at which none of them count any more: each failure moves it later.
 */
export const signInNetworks = pgTable(
  'sign_in_networks',
  { networkHash: text('network_hash').primaryKey(), wholeAt: timestamptz('whole_at').notNull() },
  (table) => [index('sign_in_networks_whole').on(table.wholeAt)],
)

/**
 * Calls of the last second, in slots of 100 ms, and the share of the rate limit after a refusal.
 * The table is unlogged, so PostgreSQL may lose its rows in a crash.
 */
export const serviceBudgets = pgTable('service_budgets', {
  environment: text('environment').$type<Environment>().primaryKey(),
  /** Number of calls in each slot, newest first. */
  slots: integer('slots').array().notNull(),
  /** Number of the newest slot: 100 ms intervals since 1970. */
  slot: bigint('slot', { mode: 'number' }).notNull(),
  /** The share right after the last refusal, at `shrunkAt`. The share in use grows with time. */
  share: doublePrecision('share').notNull().default(1),
  shrunkAt: timestamptz('shrunk_at').notNull().defaultNow(),
  /** End of the pause that the service requested. */
  pausedUntil: timestamptz('paused_until').notNull().defaultNow(),
})

/** Unlogged, like `service_budgets`. One row per person, so no rows need to be pruned. */
export const personReadCounts = pgTable('person_reads', {
  personId: uuid('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  minute: timestamptz('minute').notNull(),
  reads: integer('reads').notNull(),
  /**
   * Calls that the last query of an instance added to `reads`. The query returns this number,
   * because `reads` can contain calls of other instances.
   */
  granted: integer('granted').notNull(),
})
