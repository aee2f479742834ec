import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'

/** How a row came to be seen: told by a webhook, asked for by the sync, or in the answer of a read or write that passed through. */
export type SeenBy = 'webhook' | 'sync' | 'read' | 'write'

export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const words = customType<{ data: string }>({ dataType: () => 'tsvector' })

type Sortable = AnyPgColumn

/** A column to sort by. What has no value comes first in ascending order and last in descending order, so that one index serves both. */
const sorted = (column: Sortable): SQL => sql`${column} nulls first`

/**
 * What every row of the mirror has. `account_id` is null while nobody knows whose the object is, and for what is the platform's own. `object` is the
 * masked object as a list of the service shows it; nothing unmasked and no token is ever in it. `version_at` is its `updated_at`, or where it has
 * none the time of its state.
 */
export const seen = () => ({
  environment: text('environment').$type<Environment>().notNull(),
  id: uuid('id').notNull(),
  accountId: uuid('account_id'),
  object: jsonb('object').notNull(),
  versionAt: at('version_at'),
  changedAt: at('changed_at'),
  seenAt: at('seen_at').notNull(),
  seenBy: text('seen_by').$type<SeenBy>().notNull(),
})

/** The object as it is read alone, which says more than a list does, where it was ever read so; it may be older than `object`. */
const readAlone = () => ({ record: jsonb('record'), recordSeenAt: at('record_seen_at') })

/** The last account that was asked whether the object is its own, in the order of their ids, while nobody knows whose it is. */
const lookedFor = () => ({ accountAsked: uuid('account_asked') })

/** Charges and payouts. `words` are those of description and reference, for the search. */
export const mirrorPayments = pgTable(
  'mirror_payments',
  {
    ...seen(),
    ...readAlone(),
    ...lookedFor(),
    paymentType: text('payment_type').notNull(),
    status: text('status').notNull(),
    statusReason: text('status_reason'),
    statusSource: text('status_source'),
    code: text('code'),
    externalId: text('external_id'),
    customerId: uuid('customer_id'),
    paykeyId: uuid('paykey_id'),
    /** Cents. */
    amount: bigint('amount', { mode: 'number' }),
    currency: text('currency'),
    paymentDate: date('payment_date', { mode: 'string' }),
    effectiveAt: at('effective_at'),
    createdAt: at('created_at'),
    updatedAt: at('updated_at'),
    fundingIds: uuid('funding_ids').array().notNull(),
    isRefund: boolean('is_refund'),
    hasRefund: boolean('has_refund'),
    isResubmit: boolean('is_resubmit'),
    hasResubmit: boolean('has_resubmit'),
    words: words('words').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_payments_created').on(table.environment, sorted(table.createdAt), table.id),
    // With the state behind the order: people count their payouts by it.
    index('mirror_payments_type').on(table.environment, table.paymentType, sorted(table.createdAt), table.id, table.status),
    index('mirror_payments_status').on(table.environment, table.status, sorted(table.createdAt), table.id),
    index('mirror_payments_account').on(table.environment, table.accountId, sorted(table.createdAt), table.id),
    index('mirror_payments_account_status').on(table.environment, table.accountId, table.status, sorted(table.createdAt), table.id),
    index('mirror_payments_customer').on(table.environment, table.customerId, sorted(table.createdAt), table.id),
    index('mirror_payments_paykey').on(table.environment, table.paykeyId, sorted(table.createdAt), table.id),
    index('mirror_payments_external').on(table.environment, table.externalId),
    index('mirror_payments_date').on(table.environment, sorted(table.paymentDate), table.id),
    index('mirror_payments_effective').on(table.environment, sorted(table.effectiveAt), table.id),
    index('mirror_payments_updated').on(table.environment, sorted(table.updatedAt), table.id),
    index('mirror_payments_amount').on(table.environment, sorted(table.amount), table.id),
    index('mirror_payments_funding').using('gin', table.fundingIds),
    index('mirror_payments_words').using('gin', table.words),
    // The one flag that a tab asks for, as its search words it.
    index('mirror_payments_refund').on(table.environment, sorted(table.createdAt), table.id).where(sql`is_refund is not false`),
    // What came back lately, as its queue words it.
    index('mirror_payments_returned')
      .on(table.environment, sorted(table.updatedAt), table.id)
      .where(sql`status in ('failed', 'reversed') and has_resubmit is not true`),
    // Whose account is looked for in the background.
    index('mirror_payments_unknown').on(table.environment, table.id).where(sql`account_id is null`),
  ],
)

/**
 * All payments of an environment that are alike in what they are added up by, whosever they are: triggers of `mirror_payments` keep it, so that it always says
 * what the rows do. `id` is made of what they are alike in. Whoever writes adds to a row of their own (`writer`, a number no other open transaction has), so
 * that nobody waits for another's counting: the rows of an `id` belong together, and a count may be below zero.
 */
export const mirrorPaymentSums = pgTable(
  'mirror_payment_sums',
  {
    environment: text('environment').$type<Environment>().notNull(),
    id: uuid('id').notNull(),
    writer: integer('writer').notNull(),
    paymentDate: date('payment_date', { mode: 'string' }),
    /** The day in New York. */
    settledOn: date('settled_on', { mode: 'string' }),
    paymentType: text('payment_type').notNull(),
    status: text('status').notNull(),
    statusSource: text('status_source'),
    code: text('code'),
    isRefund: boolean('is_refund'),
    currency: text('currency'),
    count: bigint('count', { mode: 'number' }).notNull(),
    /** Cents, of the amounts that could be read; the others are counted in `unreadable`. */
    minor: numeric('minor').notNull(),
    unreadable: bigint('unreadable', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id, table.writer] }),
    index('mirror_payment_sums_date').on(table.environment, table.paymentDate),
    index('mirror_payment_sums_settled').on(table.environment, table.settledOn),
  ],
)

/** Customers. `search` is in small letters, here and below: what the free search of the list looks through. */
export const mirrorCustomers = pgTable(
  'mirror_customers',
  {
    ...seen(),
    ...readAlone(),
    ...lookedFor(),
    name: text('name').notNull(),
    type: text('type'),
    status: text('status').notNull(),
    externalId: text('external_id'),
    createdAt: at('created_at'),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_customers_created').on(table.environment, sorted(table.createdAt), table.id),
    index('mirror_customers_name').on(table.environment, sql`${table.name} collate "C"`, table.id),
    index('mirror_customers_status').on(table.environment, table.status, sorted(table.createdAt), table.id),
    index('mirror_customers_account').on(table.environment, table.accountId, sorted(table.createdAt), table.id),
    index('mirror_customers_external').on(table.environment, table.externalId),
  ],
)

export const mirrorPaykeys = pgTable(
  'mirror_paykeys',
  {
    ...seen(),
    ...readAlone(),
    ...lookedFor(),
    status: text('status').notNull(),
    source: text('source'),
    customerId: uuid('customer_id'),
    institutionName: text('institution_name'),
    unblockEligible: boolean('unblock_eligible'),
    expiresAt: at('expires_at'),
    createdAt: at('created_at'),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_paykeys_created').on(table.environment, sorted(table.createdAt), table.id),
    index('mirror_paykeys_status').on(table.environment, table.status, sorted(table.createdAt), table.id),
    index('mirror_paykeys_account').on(table.environment, table.accountId, sorted(table.createdAt), table.id),
    index('mirror_paykeys_customer').on(table.environment, table.customerId, sorted(table.createdAt), table.id),
    index('mirror_paykeys_institution').on(table.environment, sql`${table.institutionName} collate "C" nulls first`, table.id),
    // A queue of few among many, as its search words it.
    index('mirror_paykeys_unblockable').on(table.environment, sorted(table.createdAt), table.id).where(sql`unblock_eligible`),
    index('mirror_paykeys_expires').on(table.environment, sorted(table.expiresAt), table.id),
  ],
)

export const mirrorFundingEvents = pgTable(
  'mirror_funding_events',
  {
    ...seen(),
    ...readAlone(),
    ...lookedFor(),
    status: text('status').notNull(),
    statusReason: text('status_reason'),
    statusSource: text('status_source'),
    direction: text('direction'),
    eventType: text('event_type'),
    /** Cents; below zero where returns outweigh. */
    amount: bigint('amount', { mode: 'number' }),
    transferDate: date('transfer_date', { mode: 'string' }),
    /** The day in New York on which it was made. */
    createdOn: date('created_on', { mode: 'string' }),
    traceNumbers: text('trace_numbers').array().notNull(),
    traceIds: text('trace_ids').array().notNull(),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_funding_events_transfer').on(table.environment, sorted(table.transferDate), table.id),
    index('mirror_funding_events_account').on(table.environment, table.accountId, sorted(table.transferDate), table.id),
    index('mirror_funding_events_amount').on(table.environment, sorted(table.amount), table.id),
    index('mirror_funding_events_status').on(table.environment, table.status, sorted(table.transferDate), table.id),
    index('mirror_funding_events_traces').using('gin', table.traceNumbers),
  ],
)

/** Customers that were deleted, by id: an answer that was still under way must not bring back who they were. */
export const mirrorForgotten = pgTable(
  'mirror_forgotten',
  {
    environment: text('environment').$type<Environment>().notNull(),
    id: uuid('id').notNull(),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.id] })],
)
