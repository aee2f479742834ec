import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, boolean, doublePrecision, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { at, bytes, now } from './columns'
import { people } from './people'

/** Keys of the store's own, encrypted under the configured one. Their hashes must stay comparable after any rotation. */
export const keptKeys = pgTable('kept_keys', { name: text('name').primaryKey(), value: bytes('value').notNull() })

/** The newest link of the audit chain. Each transaction that appends locks it, which keeps the sequence without gaps. */
export const auditHead = pgTable('audit_head', {
  id: integer('id').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
})

/** The audit chain. Insert-only: triggers refuse the rest. `body` is canonical JSON with ids and hashes, never personal data. */
export const audit = pgTable('audit', {
  seq: bigint('seq', { mode: 'number' }).primaryKey(),
  body: text('body').notNull(),
  prev: text('prev').notNull(),
  hash: text('hash').notNull(),
})

/**
 * Files of signed heads that instances keep beside the store, with the number of heads and the hash of the last. A file with fewer heads
 * was cut, emptied or removed.
 */
export const auditHeadFiles = pgTable('audit_head_files', {
  id: uuid('id').primaryKey(),
  count: integer('count').notNull(),
  link: text('link').notNull(),
  /** The audit row of the last head. */
  seq: bigint('seq', { mode: 'number' }).notNull(),
})

/** Every call through the proxy: operation, person and outcome, without its body and query texts. Kept for 90 days. */
export const requestLog = pgTable(
  'request_log',
  {
    id: uuid('id').primaryKey(),
    at: at('at').notNull().default(now),
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
    /** Milliseconds between the request's arrival and our response. */
    tookMs: integer('took_ms').notNull(),
    attempts: integer('attempts').notNull().default(1),
    replayed: boolean('replayed').notNull().default(false),
    errorCode: text('error_code'),
    /** The service's refusal text, without values that a person entered. */
    errorDetail: text('error_detail'),
  },
  (table) => [
    index('request_log_at').on(table.environment, table.at.desc().nullsFirst()),
    index('request_log_target').on(table.environment, table.target, table.at.desc().nullsFirst()),
    index('request_log_request').on(table.requestId),
    index('request_log_api_request').on(table.apiRequestId),
    index('request_log_action').on(table.actionId),
    index('request_log_operation').on(table.environment, table.operation, table.at.desc().nullsFirst()),
    index('request_log_actor').on(table.environment, table.actorId, table.at.desc().nullsFirst()),
    index('request_log_account').on(table.environment, table.accountId, table.at.desc().nullsFirst()),
    index('request_log_wrong').on(table.environment, table.at.desc().nullsFirst()).where(sql`status >= 400 or error_code is not null`),
    index('request_log_error').on(table.environment, table.errorCode, table.at.desc().nullsFirst()),
  ],
)

/** One row for each reveal of masked data. The count of the last hour limits the next one. */
export const reveals = pgTable(
  'reveals',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    at: at('at').notNull().default(now),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    environment: text('environment').$type<Environment>().notNull(),
    operation: text('operation').notNull(),
    target: text('target').notNull(),
  },
  (table) => [index('reveals_actor').on(table.actorId, table.at.desc().nullsFirst())],
)

/** One row for each uploaded file. The count of the last hour limits the next one. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    at: at('at').notNull().default(now),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
  },
  (table) => [index('uploads_actor').on(table.actorId, table.at.desc().nullsFirst())],
)

/** Failed sign-ins per address and per known device, by keyed hash. Ten lock it for half an hour. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    emailHash: text('email_hash').primaryKey(),
    failures: integer('failures').notNull().default(0),
    lastAt: at('last_at').notNull().default(now),
    lockedUntil: at('locked_until'),
  },
  (table) => [index('sign_in_failures_last').on(table.lastAt)],
)

/** Failed sign-ins per network, by keyed hash. `wholeAt` is when the last of them is forgotten. */
export const signInNetworks = pgTable(
  'sign_in_networks',
  { networkHash: text('network_hash').primaryKey(), wholeAt: at('whole_at').notNull() },
  (table) => [index('sign_in_networks_whole').on(table.wholeAt)],
)

/**
 * Calls to each environment of the service in the last second, in slots of a tenth, and the share of its rate limit that we use since its
 * last refusal. Unlogged: a crash may lose it.
 */
export const serviceBudgets = pgTable('service_budgets', {
  environment: text('environment').$type<Environment>().primaryKey(),
  /** Calls in each slot, newest first. */
  slots: integer('slots').array().notNull(),
  /** The newest slot: tenths of a second since 1970. */
  slot: bigint('slot', { mode: 'number' }).notNull(),
  /** The share of the limit that was left after the last refusal, at `shrunkAt`. It grows again from there. */
  share: doublePrecision('share').notNull().default(1),
  shrunkAt: at('shrunk_at').notNull().defaultNow(),
  /** End of the pause that the service requested. */
  pausedUntil: at('paused_until').notNull().defaultNow(),
})

/** Calls granted to each person's reads of the current minute. Unlogged too. One row per person, so it needs no pruning. */
export const personReads = pgTable('person_reads', {
  personId: uuid('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  minute: at('minute').notNull(),
  reads: integer('reads').notNull(),
  /** Calls granted to the newest request. Separate from `reads`, because two instances may request at once. */
  granted: integer('granted').notNull(),
})
