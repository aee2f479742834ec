import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

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
