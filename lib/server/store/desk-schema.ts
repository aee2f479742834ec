import 'server-only'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { actions, people } from './schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

/** Every call through the proxy, without its body and without query texts: what was asked, by whom, and the outcome. Kept for 90 days. */
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
    /** Milliseconds between the request's arrival and our answer. */
    tookMs: integer('took_ms').notNull(),
    attempts: integer('attempts').notNull().default(1),
    replayed: boolean('replayed').notNull().default(false),
    errorCode: text('error_code'),
    /** The service's words where it refused, without values somebody typed. */
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

/** Named views of a list: a path and the search of its URL, for the person or for everybody in the environment. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    environment: text('environment').$type<Environment>().notNull(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** The list it belongs to, for example `payments`. */
    list: text('list').notNull(),
    name: text('name').notNull(),
    /** The search of the URL without `account` and paging. */
    search: text('search').notNull(),
    shared: boolean('shared').notNull().default(false),
    /** Whoever sees all these accounts sees it, because its words may come from each; null is the whole platform. */
    accounts: uuid('accounts').array(),
    createdAt: at('created_at').notNull().default(now),
  },
  (table) => [
    uniqueIndex('saved_views_name').on(table.environment, table.list, table.ownerId, sql`lower(${table.name})`),
    check('saved_views_audience', sql`${table.accounts} is null or (${table.shared} and cardinality(${table.accounts}) > 0)`),
  ],
)

/** Requests to delete a customer permanently. Names nobody: the customer is an id and, once deleted, only a keyed hash of what was confirmed. */
export const deletions = pgTable(
  'deletions',
  {
    id: uuid('id').primaryKey(),
    environment: text('environment').$type<Environment>().notNull(),
    accountId: uuid('account_id').notNull(),
    customerId: uuid('customer_id').notNull(),
    state: text('state').$type<'requested' | 'withdrawn' | 'executed'>().notNull().default('requested'),
    ground: text('ground').notNull(),
    /** How the identity of the asking person was checked. */
    identityCheck: text('identity_check').notNull(),
    ticket: text('ticket'),
    /** The day the law wants it done by. */
    dueOn: text('due_on'),
    requestedBy: uuid('requested_by')
      .notNull()
      .references(() => people.id),
    createdAt: at('created_at').notNull().default(now),
    /** What was known to be touched when it was executed: counts by kind and state, and what could not be known. */
    impact: jsonb('impact'),
    actionId: uuid('action_id').references(() => actions.id),
    executedBy: uuid('executed_by').references(() => people.id),
    executedAt: at('executed_at'),
    /** The certificate as it was issued, and the SHA-256 of its canonical JSON. */
    certificate: jsonb('certificate'),
    certificateHash: text('certificate_hash'),
  },
  (table) => [
    index('deletions_customer').on(table.environment, table.customerId),
    uniqueIndex('deletions_one_open').on(table.environment, table.customerId).where(sql`state = 'requested'`),
  ],
)

/** What was asked for in a capability request and what held then, so that it can be told when the settings follow. */
export const limitRequests = pgTable(
  'limit_requests',
  {
    id: uuid('id').primaryKey(),
    environment: text('environment').$type<Environment>().notNull(),
    accountId: uuid('account_id').notNull(),
    paymentType: text('payment_type').$type<'charges' | 'payouts'>().notNull(),
    /** `max_amount`, `daily_amount`, `monthly_amount` in cents, `monthly_count`. */
    before: jsonb('before').notNull(),
    asked: jsonb('asked').notNull(),
    /** Why, in our words; the service takes no reason. */
    justification: text('justification').notNull(),
    actionId: uuid('action_id').references(() => actions.id),
    askedBy: uuid('asked_by')
      .notNull()
      .references(() => people.id),
    createdAt: at('created_at').notNull().default(now),
    /** When the settings were first seen to hold what was asked for. */
    appliedAt: at('applied_at'),
    /** When it was seen to have ended, however it did; the next one may be asked from then on. */
    closedAt: at('closed_at'),
    /** The state it was seen to have ended in. */
    closedAs: text('closed_as'),
  },
  (table) => [
    index('limit_requests_account').on(table.environment, table.accountId, table.createdAt.desc().nullsFirst()),
    uniqueIndex('limit_requests_one_open').on(table.environment, table.accountId, table.paymentType).where(sql`closed_at is null`),
  ],
)

/** One row for each reveal of masked data: who, of what. The count of the last hour bounds the next one. */
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

/** One row for each file a person sent. The count of the last hour bounds the next one. */
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

/** Failed sign-ins per address and per known device, by keyed hash; ten lock it for half an hour. */
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

/** Failed sign-ins per network, by keyed hash: the time at which the last of them is forgotten. */
export const signInNetworks = pgTable(
  'sign_in_networks',
  { networkHash: text('network_hash').primaryKey(), wholeAt: at('whole_at').notNull() },
  (table) => [index('sign_in_networks_whole').on(table.wholeAt)],
)

/** Who works on a record of a queue (`<resource>/<id>`), until a page renews it no more. It closes nothing, and rows that ended are pruned. */
export const claims = pgTable(
  'claims',
  {
    environment: text('environment').$type<Environment>().notNull(),
    target: text('target').notNull(),
    accountId: uuid('account_id').notNull(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    since: at('since').notNull().default(now),
    endsAt: at('ends_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.target] }), index('claims_ended').on(table.endsAt)],
)

/**
 * What was sent to each environment of the service in the last second, by slots of a tenth, and how much of its rate limit is believed in since it
 * last refused us. Unlogged: a crash may forget it.
 */
export const serviceBudgets = pgTable('service_budgets', {
  environment: text('environment').$type<Environment>().primaryKey(),
  /** Calls in each slot, the newest first. */
  slots: integer('slots').array().notNull(),
  /** The newest slot: tenths of a second since 1970. */
  slot: bigint('slot', { mode: 'number' }).notNull(),
  /** The part of the limit that was left after the last refusal, at `shrunkAt`; it grows again from there. */
  share: doublePrecision('share').notNull().default(1),
  shrunkAt: at('shrunk_at').notNull().defaultNow(),
  /** Until when the service asked to be left alone. */
  pausedUntil: at('paused_until').notNull().defaultNow(),
})

/** The calls each person's reads of the current minute were given. Unlogged as well, and one row a person: it needs no pruning. */
export const personReads = pgTable('person_reads', {
  personId: uuid('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  minute: at('minute').notNull(),
  reads: integer('reads').notNull(),
  /** What the newest asking was given; told apart from `reads` because two instances may ask at once. */
  granted: integer('granted').notNull(),
})
