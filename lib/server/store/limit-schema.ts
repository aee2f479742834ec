import 'server-only'
import { bigint, doublePrecision, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { people } from './schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

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
