import 'server-only'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  type ExtraConfigColumn,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import {
  createAccountSearchColumns,
  createMirrorColumns,
  createRecordColumns,
  sortedNullsFirst,
  timestamptz,
  tsvector,
} from './columns'

type CreationOrderColumn =
  | 'environment'
  | 'id'
  | 'createdAt'
  | 'paymentType'
  | 'status'
  | 'accountId'
  | 'customerId'
  | 'paykeyId'

/** Indexes for the lists of payments that are sorted by creation time, one for each filter. */
const createCreationOrderIndexes = (table: Record<CreationOrderColumn, ExtraConfigColumn>) => [
  index('mirror_payments_created').on(
    table.environment,
    sortedNullsFirst(table.createdAt),
    table.id,
  ),
  // Includes the status, so that payouts can be counted by status.
  index('mirror_payments_type').on(
    table.environment,
    table.paymentType,
    sortedNullsFirst(table.createdAt),
    table.id,
    table.status,
  ),
  index('mirror_payments_status').on(
    table.environment,
    table.status,
    sortedNullsFirst(table.createdAt),
    table.id,
  ),
  index('mirror_payments_account').on(
    table.environment,
    table.accountId,
    sortedNullsFirst(table.createdAt),
    table.id,
  ),
  index('mirror_payments_account_status').on(
    table.environment,
    table.accountId,
    table.status,
    sortedNullsFirst(table.createdAt),
    table.id,
  ),
  index('mirror_payments_customer').on(
    table.environment,
    table.customerId,
    sortedNullsFirst(table.createdAt),
    table.id,
  ),
  index('mirror_payments_paykey').on(
    table.environment,
    table.paykeyId,
    sortedNullsFirst(table.createdAt),
    table.id,
  ),
]

/**
 * Charges and payouts. `words` contains the words of the description and the external id, for the
 * search.
 */
export const mirrorPayments = pgTable(
  'mirror_payments',
  {
    ...createMirrorColumns(),
    ...createRecordColumns(),
    ...createAccountSearchColumns(),
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
    effectiveAt: timestamptz('effective_at'),
    createdAt: timestamptz('created_at'),
    updatedAt: timestamptz('updated_at'),
    fundingIds: uuid('funding_ids').array().notNull(),
    isRefund: boolean('is_refund'),
    hasRefund: boolean('has_refund'),
    isResubmit: boolean('is_resubmit'),
    hasResubmit: boolean('has_resubmit'),
    words: tsvector('words').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    ...createCreationOrderIndexes(table),
    index('mirror_payments_external').on(table.environment, table.externalId),
    index('mirror_payments_date').on(
      table.environment,
      sortedNullsFirst(table.paymentDate),
      table.id,
    ),
    index('mirror_payments_effective').on(
      table.environment,
      sortedNullsFirst(table.effectiveAt),
      table.id,
    ),
    index('mirror_payments_updated').on(
      table.environment,
      sortedNullsFirst(table.updatedAt),
      table.id,
    ),
    index('mirror_payments_amount').on(table.environment, sortedNullsFirst(table.amount), table.id),
    index('mirror_payments_funding').using('gin', table.fundingIds),
    index('mirror_payments_words').using('gin', table.words),
    // For the lists that filter by `is_refund`. The condition is the same as in their queries, so
    // that PostgreSQL can use this index.
    index('mirror_payments_refund')
      .on(table.environment, sortedNullsFirst(table.createdAt), table.id)
      .where(sql`is_refund is not false`),
    // For the queue of recently returned payments. The condition is the same as in its query, so
    // that PostgreSQL can use this index.
    index('mirror_payments_returned')
      .on(table.environment, sortedNullsFirst(table.updatedAt), table.id)
      .where(sql`status in ('failed', 'reversed') and has_resubmit is not true`),
    // For payments whose account is searched for in the background.
    index('mirror_payments_unknown').on(table.environment, table.id).where(sql`account_id is null`),
  ],
)

/**
 * Numbers and sums of payments. A group of payments has the same values in the columns from
 * `paymentDate` to `currency`, whatever the account; `id` is derived from these values. Triggers of
 * `mirror_payments` update the sums. A group has one row per `writer`, a number that no two open
 * transactions share. Each transaction changes only its own row, so that no transaction waits for
 * another. The rows of a group must be added up, and the count in a single row may be negative.
 */
export const mirrorPaymentSums = pgTable(
  'mirror_payment_sums',
  {
    environment: text('environment').$type<Environment>().notNull(),
    id: uuid('id').notNull(),
    writer: integer('writer').notNull(),
    paymentDate: date('payment_date', { mode: 'string' }),
    /** Settlement date in New York. */
    settledOn: date('settled_on', { mode: 'string' }),
    paymentType: text('payment_type').notNull(),
    status: text('status').notNull(),
    statusSource: text('status_source'),
    code: text('code'),
    isRefund: boolean('is_refund'),
    currency: text('currency'),
    count: bigint('count', { mode: 'number' }).notNull(),
    /** Cents. Payments with an unreadable amount are not included; `unreadable` is their number. */
    minor: numeric('minor').notNull(),
    unreadable: bigint('unreadable', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id, table.writer] }),
    index('mirror_payment_sums_date').on(table.environment, table.paymentDate),
    index('mirror_payment_sums_settled').on(table.environment, table.settledOn),
  ],
)

export const mirrorPaykeys = pgTable(
  'mirror_paykeys',
  {
    ...createMirrorColumns(),
    ...createRecordColumns(),
    ...createAccountSearchColumns(),
    status: text('status').notNull(),
    source: text('source'),
    customerId: uuid('customer_id'),
    institutionName: text('institution_name'),
    unblockEligible: boolean('unblock_eligible'),
    expiresAt: timestamptz('expires_at'),
    createdAt: timestamptz('created_at'),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_paykeys_created').on(
      table.environment,
      sortedNullsFirst(table.createdAt),
      table.id,
    ),
    index('mirror_paykeys_status').on(
      table.environment,
      table.status,
      sortedNullsFirst(table.createdAt),
      table.id,
    ),
    index('mirror_paykeys_account').on(
      table.environment,
      table.accountId,
      sortedNullsFirst(table.createdAt),
      table.id,
    ),
    index('mirror_paykeys_customer').on(
      table.environment,
      table.customerId,
      sortedNullsFirst(table.createdAt),
      table.id,
    ),
    index('mirror_paykeys_institution').on(
      table.environment,
      sql`${table.institutionName} collate "C" nulls first`,
      table.id,
    ),
    // For the queue of paykeys that can be unblocked. The condition is the same as in its query, so
    // that the index contains only these few rows.
    index('mirror_paykeys_unblockable')
      .on(table.environment, sortedNullsFirst(table.createdAt), table.id)
      .where(sql`unblock_eligible`),
    index('mirror_paykeys_expires').on(
      table.environment,
      sortedNullsFirst(table.expiresAt),
      table.id,
    ),
  ],
)

export const mirrorFundingEvents = pgTable(
  'mirror_funding_events',
  {
    ...createMirrorColumns(),
    ...createRecordColumns(),
    ...createAccountSearchColumns(),
    status: text('status').notNull(),
    statusReason: text('status_reason'),
    statusSource: text('status_source'),
    direction: text('direction'),
    eventType: text('event_type'),
    /** Cents; negative if returns are higher than payments. */
    amount: bigint('amount', { mode: 'number' }),
    transferDate: date('transfer_date', { mode: 'string' }),
    /** Creation date in New York. */
    createdOn: date('created_on', { mode: 'string' }),
    traceNumbers: text('trace_numbers').array().notNull(),
    traceIds: text('trace_ids').array().notNull(),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_funding_events_transfer').on(
      table.environment,
      sortedNullsFirst(table.transferDate),
      table.id,
    ),
    index('mirror_funding_events_account').on(
      table.environment,
      table.accountId,
      sortedNullsFirst(table.transferDate),
      table.id,
    ),
    index('mirror_funding_events_amount').on(
      table.environment,
      sortedNullsFirst(table.amount),
      table.id,
    ),
    index('mirror_funding_events_status').on(
      table.environment,
      table.status,
      sortedNullsFirst(table.transferDate),
      table.id,
    ),
    index('mirror_funding_events_traces').using('gin', table.traceNumbers),
  ],
)
