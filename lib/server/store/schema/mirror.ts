import 'server-only'
import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ErrorCode } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { Environment, Resource } from '@/lib/operations/define'
import {
  createAccountSearchColumns,
  createMirrorColumns,
  createRecordColumns,
  now,
  sortedNullsFirst,
  timestamptz,
} from './columns'

/** The `account_id` of an account is its own id. */
export const mirrorAccounts = pgTable(
  'mirror_accounts',
  {
    ...createMirrorColumns(),
    organizationId: uuid('organization_id'),
    type: text('type'),
    status: text('status').notNull(),
    externalId: text('external_id'),
    name: text('name').notNull(),
    createdAt: timestamptz('created_at'),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_accounts_name').on(table.environment, sql`${table.name} collate "C"`, table.id),
    index('mirror_accounts_organization').on(table.environment, table.organizationId),
  ],
)

/** Settings contain no time of change: the response to the latest request replaces the others. */
export const mirrorAccountSettings = pgTable(
  'mirror_account_settings',
  createMirrorColumns(),
  (table) => [primaryKey({ columns: [table.environment, table.id] })],
)

export const mirrorCapabilityRequests = pgTable(
  'mirror_capability_requests',
  {
    ...createMirrorColumns(),
    type: text('type').notNull(),
    category: text('category'),
    status: text('status').notNull(),
    createdAt: timestamptz('created_at'),
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
  {
    ...createMirrorColumns(),
    name: text('name').notNull(),
    externalId: text('external_id'),
    createdAt: timestamptz('created_at'),
    search: text('search').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.environment, table.id] })],
)

export const mirrorRepresentatives = pgTable(
  'mirror_representatives',
  { ...createMirrorColumns(), name: text('name').notNull(), createdAt: timestamptz('created_at') },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_representatives_account').on(table.environment, table.accountId, table.id),
  ],
)

/** Linked bank accounts. Those without an account belong to the platform. */
export const mirrorLinkedBankAccounts = pgTable(
  'mirror_linked_bank_accounts',
  {
    ...createMirrorColumns(),
    status: text('status').notNull(),
    purposes: text('purposes').array().notNull(),
    createdAt: timestamptz('created_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_linked_bank_accounts_account').on(table.environment, table.accountId, table.id),
  ],
)

/**
 * `search` is folded text for the search of a list, here and in other tables. Its first line is the
 * name.
 */
export const mirrorCustomers = pgTable(
  'mirror_customers',
  {
    ...createMirrorColumns(),
    ...createRecordColumns(),
    ...createAccountSearchColumns(),
    name: text('name').notNull(),
    type: text('type'),
    status: text('status').notNull(),
    externalId: text('external_id'),
    createdAt: timestamptz('created_at'),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_customers_created').on(
      table.environment,
      sortedNullsFirst(table.createdAt),
      table.id,
    ),
    index('mirror_customers_name').on(table.environment, sql`${table.name} collate "C"`, table.id),
    index('mirror_customers_status').on(
      table.environment,
      table.status,
      sortedNullsFirst(table.createdAt),
      table.id,
    ),
    index('mirror_customers_account').on(
      table.environment,
      table.accountId,
      sortedNullsFirst(table.createdAt),
      table.id,
    ),
    index('mirror_customers_external').on(table.environment, table.externalId),
  ],
)

/** Ids of deleted customers. A late response must not restore their data. */
export const mirrorDeletedCustomers = pgTable(
  'mirror_forgotten',
  {
    environment: text('environment').$type<Environment>().notNull(),
    id: uuid('id').notNull(),
    at: timestamptz('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.id] })],
)

/**
 * Steps of the sync: objects that need a person's decision (`waiting`), then all objects
 * (`import`), then `changes`, and from time to time all objects again (`full`).
 */
export type SyncPhase = 'waiting' | 'import' | 'changes' | 'full'

/**
 * `list` is the index of a list in the resource's plan (`sync/plans.ts`), `account` the account of
 * the list (null: the platform). `since` is the service's time that separates recent rows from
 * older ones, or from which changes are requested.
 */
export type SyncCursor = {
  list: number
  account: string | null
  page: number
  since: string | null
  unreadable?: UnreadableListRow[]
}

/** `account` is that of the list that contained the row; null for the platform's list. */
export type UnreadableListRow = UnreadableRow & { account: string | null }

/** A row is updated in the transaction that stores the objects of a page. */
export const syncState = pgTable(
  'sync_state',
  {
    environment: text('environment').$type<Environment>().notNull(),
    resource: text('resource').$type<Resource>().notNull(),
    phase: text('phase').$type<SyncPhase>().notNull(),
    /** Null before the first page and after the last. */
    cursor: jsonb('cursor').$type<SyncCursor>(),
    /** Rows read since the start. `total` is null if the service does not count them. */
    done: integer('done').notNull().default(0),
    total: integer('total'),
    /** Rows that were unreadable in the last full read. */
    unreadable: jsonb('unreadable').$type<UnreadableListRow[]>(),
    startedAt: timestamptz('started_at'),
    finishedAt: timestamptz('finished_at'),
    checkedAt: timestamptz('checked_at'),
    /** Error code of the failure that paused reading. */
    pausedReason: text('paused_reason').$type<ErrorCode>(),
    pausedSince: timestamptz('paused_since'),
    /** Time of the next retry, and the number of failures in sequence. */
    retryAt: timestamptz('retry_at'),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.environment, table.resource, table.phase] })],
)

/** State of an event: waiting for processing, stored, ignored, or failed after several tries. */
export type WebhookEventState = 'received' | 'matched' | 'ignored' | 'failed'

/** A repeated event has the same id and is stored once. Rows are kept for 30 days. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    environment: text('environment').$type<Environment>().notNull(),
    /**
     * The delivery's `webhook-id` header. If the delivery contains several events, a dot and the
     * position of the event follow.
     */
    id: text('id').notNull(),
    eventId: text('event_id').notNull(),
    eventType: text('event_type').notNull(),
    accountId: uuid('account_id'),
    /** Null if the kind of the event's object is unknown. */
    resource: text('resource'),
    objectId: uuid('object_id'),
    /** When this customer is deleted, the payload is erased. */
    customerId: uuid('customer_id'),
    receivedAt: timestamptz('received_at').notNull().default(now),
    signed: text('signed').$type<'verified' | 'unverified'>().notNull(),
    state: text('state').$type<WebhookEventState>().notNull(),
    processedAt: timestamptz('processed_at'),
    tries: integer('tries').notNull().default(0),
    nextTryAt: timestamptz('next_try_at'),
    /** Reason for ignoring the event, or code of the last error; never text of the event. */
    note: text('note'),
    /** The event's object, with only the fields that the read operation of its resource returns. */
    payload: jsonb('payload'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('webhook_events_received').on(table.environment, table.receivedAt.desc().nullsFirst()),
    index('webhook_events_state').on(
      table.environment,
      table.state,
      table.receivedAt.desc().nullsFirst(),
    ),
    index('webhook_events_due').on(table.nextTryAt).where(sql`state = 'received'`),
    index('webhook_events_object').on(
      table.environment,
      table.objectId,
      table.receivedAt.desc().nullsFirst(),
    ),
    index('webhook_events_customer')
      .on(table.environment, table.customerId)
      .where(sql`payload is not null`),
  ],
)

/** Counts of refused deliveries by cause and day, without their content. */
export const webhookRefusals = pgTable(
  'webhook_refusals',
  {
    environment: text('environment').$type<Environment>().notNull(),
    cause: text('cause').notNull(),
    day: date('day').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
    lastAt: timestamptz('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environment, table.cause, table.day] })],
)
