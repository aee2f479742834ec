import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { StoredPolicy } from '@/lib/domain/policies'
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

/**
 * Who must approve what, by version; version 0 is what Paydesk ships with and is no row. One is in force, and one at most waits for a second admin. A row is
 * never changed once it was in force, except by being replaced.
 */
export const policies = pgTable(
  'policies',
  {
    version: integer('version').primaryKey(),
    state: text('state').$type<'proposed' | 'active' | 'replaced' | 'rejected' | 'withdrawn'>().notNull(),
    policy: jsonb('policy').$type<StoredPolicy>().notNull(),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => people.id),
    proposedAt: at('proposed_at').notNull().default(now),
    decidedBy: uuid('decided_by').references(() => people.id),
    decidedAt: at('decided_at'),
    /** Why, in the words of who proposed it. */
    reason: text('reason').notNull(),
  },
  (table) => [
    uniqueIndex('policies_one_proposed').on(table.state).where(sql`state = 'proposed'`),
    uniqueIndex('policies_one_active').on(table.state).where(sql`state = 'active'`),
    check('policies_by_two', sql`state not in ('active', 'replaced') or coalesce(${table.decidedBy} <> ${table.proposedBy}, false)`),
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
 * The files of signed heads that instances keep beside the store: how many heads each has, and the hash of the last. A file that has fewer was cut, emptied or
 * removed.
 */
export const auditHeadFiles = pgTable('audit_head_files', {
  id: uuid('id').primaryKey(),
  count: integer('count').notNull(),
  link: text('link').notNull(),
  /** The row of the audit that the last of them is of. */
  seq: bigint('seq', { mode: 'number' }).notNull(),
})
