import 'server-only'
import { sql } from 'drizzle-orm'
import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { bytes } from './payload-schema'
import { people } from './schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Encrypted notes of people on a record (`<resource>/<id>`). A note never changes; a withdrawn or erased one has no text. */
export const notes = pgTable(
  'notes',
  {
    id: uuid('id').primaryKey(),
    environment: text('environment').$type<Environment>().notNull(),
    accountId: uuid('account_id').notNull(),
    target: text('target').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => people.id),
    text: bytes('text'),
    createdAt: at('created_at').notNull().default(sql`now()`),
    withdrawnAt: at('withdrawn_at'),
    withdrawnBy: uuid('withdrawn_by').references(() => people.id),
  },
  (table) => [index('notes_target').on(table.environment, table.target, table.createdAt)],
)
