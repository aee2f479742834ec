import 'server-only'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

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
