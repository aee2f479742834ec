import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, doublePrecision, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { people } from './schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

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
