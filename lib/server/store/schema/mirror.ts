import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ErrorCode } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Environment, Resource } from '@/lib/operations/define'
import { at, lookedFor, mirrorColumns, now, readAlone, sorted } from './columns'

/** Accounts; each is its own `account_id`. */
export const mirrorAccounts = pgTable(
  'mirror_accounts',
  {
    ...mirrorColumns(),
    organizationId: uuid('organization_id'),
    type: text('type'),
    status: text('status').notNull(),
    externalId: text('external_id'),
    name: text('name').notNull(),
    createdAt: at('created_at'),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_accounts_name').on(table.environment, sql`${table.name} collate "C"`, table.id),
    index('mirror_accounts_organization').on(table.environment, table.organizationId),
  ],
)

/** Settings of accounts, by the account's id. They have no time of their own, so the last one that was seen counts. */
export const mirrorAccountSettings = pgTable('mirror_account_settings', mirrorColumns(), (table) => [
  primaryKey({ columns: [table.environment, table.id] }),
])

export const mirrorCapabilityRequests = pgTable(
  'mirror_capability_requests',
  {
    ...mirrorColumns(),
    type: text('type').notNull(),
    category: text('category'),
    status: text('status').notNull(),
    createdAt: at('created_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_capability_requests_account').on(table.environment, table.accountId, table.id),
    index('mirror_capability_requests_status').on(table.environment, table.status),
  ],
)

/** Organizations belong to the platform and have no account. */
export const mirrorOrganizations = pgTable(
  'mirror_organizations',
  { ...mirrorColumns(), name: text('name').notNull(), externalId: text('external_id'), createdAt: at('created_at') },
  (table) => [primaryKey({ columns: [table.environment, table.id] })],
)

export const mirrorRepresentatives = pgTable(
  'mirror_representatives',
  { ...mirrorColumns(), name: text('name').notNull(), createdAt: at('created_at') },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_representatives_account').on(table.environment, table.accountId, table.id),
  ],
)

/** Linked bank accounts. One without an account belongs to the platform. */
export const mirrorLinkedBankAccounts = pgTable(
  'mirror_linked_bank_accounts',
  {
    ...mirrorColumns(),
    status: text('status').notNull(),
    purposes: text('purposes').array().notNull(),
    createdAt: at('created_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_linked_bank_accounts_account').on(table.environment, table.accountId, table.id),
  ],
)

/** Customers. `search`, here and below, is the lowercase text for the free search of the list. */
export const mirrorCustomers = pgTable(
  'mirror_customers',
  {
    ...mirrorColumns(),
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

/** Ids of deleted customers: a late response must not restore their data. */
export const mirrorForgotten = pgTable(
  'mirror_forgotten',
  {
    environment: text('environment').$type<Environment>().notNull(),
    id: uuid('id').notNull(),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.id] })],
)

/** Phase of reading: objects that wait for people, then all objects, then changes, and at intervals all objects again. */
export type SyncPhase = 'waiting' | 'import' | 'changes' | 'full'

/**
 * The next page to read. `list` is the index of the list in the plan, `account` the account of the list (null: the platform). `since` is
 * the service time at which lists are cut, or from which changes are requested. `unreadable` contains the unreadable rows so far.
 */
export type SyncCursor = { list: number; account: string | null; page: number; since: string | null; unreadable?: LostRow[] }

/** An unreadable row, in a list of the account. */
export type LostRow = UnreadableRow & { account: string | null }

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

/** State of an event: waiting for processing, stored, ignored, or given up after several tries. */
export type WebhookState = 'received' | 'matched' | 'ignored' | 'failed'

/** Events from the payments service, each stored once: a repeat has the same id. Kept for 30 days. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    environment: text('environment').$type<Environment>().notNull(),
    /** The `webhook-id` of its delivery. */
    id: text('id').notNull(),
    eventId: text('event_id').notNull(),
    eventType: text('event_type').notNull(),
    accountId: uuid('account_id'),
    /** The object of the event, if its kind is known. */
    resource: text('resource'),
    objectId: uuid('object_id'),
    /** The customer whose data is in the payload. The payload is erased with the customer. */
    customerId: uuid('customer_id'),
    receivedAt: at('received_at').notNull().default(now),
    signed: text('signed').$type<'verified' | 'unverified'>().notNull(),
    state: text('state').$type<WebhookState>().notNull(),
    processedAt: at('processed_at'),
    tries: integer('tries').notNull().default(0),
    nextTryAt: at('next_try_at'),
    /** Why it was ignored, or the class of the last error; never text of the event. */
    note: text('note'),
    /** The object as its read operation returns it: masked, without the fields that are omitted there. */
    payload: jsonb('payload'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('webhook_events_received').on(table.environment, table.receivedAt.desc().nullsFirst()),
    index('webhook_events_state').on(table.environment, table.state, table.receivedAt.desc().nullsFirst()),
    index('webhook_events_due').on(table.nextTryAt).where(sql`state = 'received'`),
    index('webhook_events_object').on(table.environment, table.objectId, table.receivedAt.desc().nullsFirst()),
    index('webhook_events_customer').on(table.environment, table.customerId).where(sql`payload is not null`),
  ],
)

/** Refused deliveries, by cause and day, without their content. */
export const webhookRefusals = pgTable(
  'webhook_refusals',
  {
    environment: text('environment').$type<Environment>().notNull(),
    cause: text('cause').notNull(),
    day: date('day').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
    lastAt: at('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.cause, table.day] })],
)
