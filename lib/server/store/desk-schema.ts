import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { StoredPolicy } from '@/lib/domain/policies'
import type { Environment } from '@/lib/operations/define'
import { actions, people } from './schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

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

/** Named views of a list, private or shared with the environment: a list and the search of its URL. */
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
    /** A person must see all these accounts to see the view, because its text may come from each. Null is the whole platform. */
    accounts: uuid('accounts').array(),
    createdAt: at('created_at').notNull().default(now),
  },
  (table) => [
    uniqueIndex('saved_views_name').on(table.environment, table.list, table.ownerId, sql`lower(${table.name})`),
    check('saved_views_audience', sql`${table.accounts} is null or (${table.shared} and cardinality(${table.accounts}) > 0)`),
  ],
)

/** Requests to delete a customer permanently. They name no person: only an id and, after deletion, a keyed hash of what was confirmed. */
export const deletions = pgTable(
  'deletions',
  {
    id: uuid('id').primaryKey(),
    environment: text('environment').$type<Environment>().notNull(),
    accountId: uuid('account_id').notNull(),
    customerId: uuid('customer_id').notNull(),
    state: text('state').$type<'requested' | 'withdrawn' | 'executed'>().notNull().default('requested'),
    ground: text('ground').notNull(),
    /** Method that checked the identity of the person behind the request. */
    identityCheck: text('identity_check').notNull(),
    ticket: text('ticket'),
    /** Date by which the law requires the deletion. */
    dueOn: text('due_on'),
    requestedBy: uuid('requested_by')
      .notNull()
      .references(() => people.id),
    createdAt: at('created_at').notNull().default(now),
    /** Known effects of the execution: counts by kind and state, and what could not be determined. */
    impact: jsonb('impact'),
    actionId: uuid('action_id').references(() => actions.id),
    executedBy: uuid('executed_by').references(() => people.id),
    executedAt: at('executed_at'),
    /** The issued certificate, and the SHA-256 of its canonical JSON. */
    certificate: jsonb('certificate'),
    certificateHash: text('certificate_hash'),
  },
  (table) => [
    index('deletions_customer').on(table.environment, table.customerId),
    uniqueIndex('deletions_one_open').on(table.environment, table.customerId).where(sql`state = 'requested'`),
  ],
)

/**
 * Approval policies by version. Version 0 ships with Paydesk and has no row. One is active, and at most one waits for a second admin. A row
 * that was active never changes, except that it is replaced.
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
    reason: text('reason').notNull(),
  },
  (table) => [
    uniqueIndex('policies_one_proposed').on(table.state).where(sql`state = 'proposed'`),
    uniqueIndex('policies_one_active').on(table.state).where(sql`state = 'active'`),
    check('policies_by_two', sql`state not in ('active', 'replaced') or coalesce(${table.decidedBy} <> ${table.proposedBy}, false)`),
  ],
)

/** The limits requested in a capability request and those before it, to detect when the settings follow. */
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
    /** Reason for our own records; the service accepts none. */
    justification: text('justification').notNull(),
    actionId: uuid('action_id').references(() => actions.id),
    askedBy: uuid('asked_by')
      .notNull()
      .references(() => people.id),
    createdAt: at('created_at').notNull().default(now),
    /** When the settings were first seen to contain the requested limits. */
    appliedAt: at('applied_at'),
    /** When the request was seen to have ended, in whatever state. Then the next request is possible. */
    closedAt: at('closed_at'),
    closedAs: text('closed_as'),
  },
  (table) => [
    index('limit_requests_account').on(table.environment, table.accountId, table.createdAt.desc().nullsFirst()),
    uniqueIndex('limit_requests_one_open').on(table.environment, table.accountId, table.paymentType).where(sql`closed_at is null`),
  ],
)

/** People who work on a queue record (`<resource>/<id>`), while a page renews the claim. It blocks nothing, and ended rows are pruned. */
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
