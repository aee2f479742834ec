import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

/** What became of an event: waiting to be processed, taken over, left alone, or given up after several tries. */
export type WebhookState = 'received' | 'matched' | 'ignored' | 'failed'

/** Events that the payments service delivered, each once: a repeat has the same id. Kept for 30 days. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    environment: text('environment').$type<Environment>().notNull(),
    /** The `webhook-id` it was delivered under. */
    id: text('id').notNull(),
    eventId: text('event_id').notNull(),
    eventType: text('event_type').notNull(),
    accountId: uuid('account_id'),
    /** What it is about, where the kind is known. */
    resource: text('resource'),
    objectId: uuid('object_id'),
    /** Whose data is in the payload; it goes when they are deleted. */
    customerId: uuid('customer_id'),
    receivedAt: at('received_at').notNull().default(now),
    signed: text('signed').$type<'verified' | 'unverified'>().notNull(),
    state: text('state').$type<WebhookState>().notNull(),
    processedAt: at('processed_at'),
    tries: integer('tries').notNull().default(0),
    nextTryAt: at('next_try_at'),
    /** Why it was left alone, or the class of the last error; never text of the event. */
    note: text('note'),
    /** The object as its read operation shows it: masked, without what that one leaves out. */
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

/** Deliveries that were refused, by cause and day; of what they held nothing is kept. */
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
