import 'server-only'
import { sql } from 'drizzle-orm'
import { boolean, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { NotificationEvent } from '@/lib/operations/notifications'
import { people } from './schema'

const personId = () =>
  uuid('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** Notification choices of a person that differ from the default. */
export const notificationChoices = pgTable(
  'notification_choices',
  {
    personId: personId(),
    event: text('event').$type<NotificationEvent>().notNull(),
    app: boolean('app').notNull(),
    mail: boolean('mail').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.event] })],
)

/** Conditions that a person was mailed about, kept while they last. One that ends and returns is mailed again. */
export const notificationMails = pgTable(
  'notification_mails',
  {
    personId: personId(),
    key: text('key').notNull(),
    mailedAt: timestamp('mailed_at', { withTimezone: true, mode: 'date' }).notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.personId, table.key] })],
)
