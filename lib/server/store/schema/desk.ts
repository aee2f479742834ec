import 'server-only'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import type { NotificationEvent } from '@/lib/operations/notifications'
import { actions } from './actions'
import { bytea, now, timestamptz } from './columns'
import { people } from './people'

/** Private or shared in the environment. A view is a list and the query of its URL. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    environment: text('environment').$type<Environment>().notNull(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    /** The list to which the view belongs, for example `payments`. */
    list: text('list').notNull(),
    name: text('name').notNull(),
    /** The query of the URL, without `account` and paging. */
    search: text('search').notNull(),
    shared: boolean('shared').notNull().default(false),
    /**
     * Only people who see all these accounts see the view: its text may contain data of each. Null
     * means the whole platform.
     */
    accounts: uuid('accounts').array(),
    createdAt: timestamptz('created_at').notNull().default(now),
  },
  (table) => [
    uniqueIndex('saved_views_name').on(
      table.environment,
      table.list,
      table.ownerId,
      sql`lower(${table.name})`,
    ),
    check(
      'saved_views_audience',
      sql`${table.accounts} is null or (${table.shared} and cardinality(${table.accounts}) > 0)`,
    ),
  ],
)

/**
 * A claim only informs other people and blocks nothing. An open page of the record (`target`,
 * `<resource>/<id>`) renews it. Ended claims are deleted.
 */
export const targetClaims = pgTable(
  'claims',
  {
    environment: text('environment').$type<Environment>().notNull(),
    target: text('target').notNull(),
    /** Null for a record of the platform. */
    accountId: uuid('account_id'),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    since: timestamptz('since').notNull().default(now),
    endsAt: timestamptz('ends_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.target] }),
    index('claims_ended').on(table.endsAt),
  ],
)

/** A note's text is encrypted and never changes; it is null if withdrawn or erased. */
export const notes = pgTable(
  'notes',
  {
    id: uuid('id').primaryKey(),
    environment: text('environment').$type<Environment>().notNull(),
    /** Null for a record of the platform. */
    accountId: uuid('account_id'),
    target: text('target').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => people.id),
    text: bytea('text'),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
    withdrawnAt: timestamptz('withdrawn_at'),
    withdrawnBy: uuid('withdrawn_by').references(() => people.id),
  },
  (table) => [index('notes_target').on(table.environment, table.target, table.createdAt)],
)

/**
 * No personal data of the customer is stored: only an id and, after the deletion, a certificate
 * with a keyed hash of that id.
 */
export const customerDeletions = pgTable(
  'deletions',
  {
    id: uuid('id').primaryKey(),
    environment: text('environment').$type<Environment>().notNull(),
    /** Null for a customer of the platform (a marketplace). */
    accountId: uuid('account_id'),
    customerId: uuid('customer_id').notNull(),
    state: text('state')
      .$type<'requested' | 'withdrawn' | 'executed'>()
      .notNull()
      .default('requested'),
    ground: text('ground').notNull(),
    /** How the identity of the person who asked for the deletion was checked. */
    identityCheck: text('identity_check').notNull(),
    ticket: text('ticket'),
    /** Date by which the law requires the deletion. */
    dueOn: text('due_on'),
    requestedBy: uuid('requested_by')
      .notNull()
      .references(() => people.id),
    createdAt: timestamptz('created_at').notNull().default(now),
    /** Counts by kind and state, and the effects that could not be determined. */
    impact: jsonb('impact'),
    actionId: uuid('action_id').references(() => actions.id),
    executedBy: uuid('executed_by').references(() => people.id),
    executedAt: timestamptz('executed_at'),
    /** The hash is the SHA-256 of the certificate's canonical JSON. */
    certificate: jsonb('certificate'),
    certificateHash: text('certificate_hash'),
  },
  (table) => [
    index('deletions_customer').on(table.environment, table.customerId),
    uniqueIndex('deletions_one_open')
      .on(table.environment, table.customerId)
      .where(sql`state = 'requested'`),
  ],
)

/**
 * Capability requests, with the limits before and the requested ones. Paydesk compares them with
 * the account's settings, to notice when the requested limits apply.
 */
export const limitRequests = pgTable(
  'limit_requests',
  {
    id: uuid('id').primaryKey(),
    environment: text('environment').$type<Environment>().notNull(),
    accountId: uuid('account_id').notNull(),
    paymentType: text('payment_type').$type<'charges' | 'payouts'>().notNull(),
    /** `max_amount`, `daily_amount` and `monthly_amount` in cents, and `monthly_count`. */
    before: jsonb('before').notNull(),
    asked: jsonb('asked').notNull(),
    /** Reason for our own records. It is not sent, because the service accepts none. */
    justification: text('justification').notNull(),
    actionId: uuid('action_id').references(() => actions.id),
    askedBy: uuid('asked_by')
      .notNull()
      .references(() => people.id),
    createdAt: timestamptz('created_at').notNull().default(now),
    /** When the account's settings first contained the requested limits. */
    appliedAt: timestamptz('applied_at'),
    /** When the request had ended, approved or not. A new one is possible from then on. */
    closedAt: timestamptz('closed_at'),
    closedAs: text('closed_as'),
  },
  (table) => [
    index('limit_requests_account').on(
      table.environment,
      table.accountId,
      table.createdAt.desc().nullsFirst(),
    ),
    uniqueIndex('limit_requests_one_open')
      .on(table.environment, table.accountId, table.paymentType)
      .where(sql`closed_at is null`),
  ],
)

const createPersonIdColumn = () =>
  uuid('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** Only settings that differ from the default. */
export const notificationChoices = pgTable(
  'notification_choices',
  {
    personId: createPersonIdColumn(),
    event: text('event').$type<NotificationEvent>().notNull(),
    app: boolean('app').notNull(),
    mail: boolean('mail').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.event] })],
)

/**
 * A row is kept while its condition lasts, so that the person gets only one email about it. A
 * condition that ends and returns is mailed again.
 */
export const notificationMails = pgTable(
  'notification_mails',
  {
    personId: createPersonIdColumn(),
    key: text('key').notNull(),
    mailedAt: timestamp('mailed_at', { withTimezone: true, mode: 'date' })
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.personId, table.key] })],
)
