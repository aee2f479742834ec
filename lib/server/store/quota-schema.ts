import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, doublePrecision, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { people } from './schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

/** One row for each reveal of masked data. The count of the last hour limits the next one. */
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

/** One row for each uploaded file. The count of the last hour limits the next one. */
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

/** Failed sign-ins per address and per known device, by keyed hash. Ten lock it for half an hour. */
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

/** Failed sign-ins per network, by keyed hash. `wholeAt` is when the last of them is forgotten. */
export const signInNetworks = pgTable(
  'sign_in_networks',
  { networkHash: text('network_hash').primaryKey(), wholeAt: at('whole_at').notNull() },
  (table) => [index('sign_in_networks_whole').on(table.wholeAt)],
)

/**
 * Calls to each environment of the service in the last second, in slots of a tenth, and the share of its rate limit that we use since its
 * last refusal. Unlogged: a crash may lose it.
 */
export const serviceBudgets = pgTable('service_budgets', {
  environment: text('environment').$type<Environment>().primaryKey(),
  /** Calls in each slot, newest first. */
  slots: integer('slots').array().notNull(),
  /** The newest slot: tenths of a second since 1970. */
  slot: bigint('slot', { mode: 'number' }).notNull(),
  /** The share of the limit that was left after the last refusal, at `shrunkAt`. It grows again from there. */
  share: doublePrecision('share').notNull().default(1),
  shrunkAt: at('shrunk_at').notNull().defaultNow(),
  /** End of the pause that the service requested. */
  pausedUntil: at('paused_until').notNull().defaultNow(),
})

/** Calls granted to each person's reads of the current minute. Unlogged too. One row per person, so it needs no pruning. */
export const personReads = pgTable('person_reads', {
  personId: uuid('person_id')
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  minute: at('minute').notNull(),
  reads: integer('reads').notNull(),
  /** Calls granted to the newest request. Separate from `reads`, because two instances may request at once. */
  granted: integer('granted').notNull(),
})
