import 'server-only'
import { sql } from 'drizzle-orm'
import { boolean, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { NotificationEvent } from '@/lib/operations/notifications'
import { people } from './schema'

const personId = () =>
  uuid('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** What somebody chose to be told of, where that is not what is shipped. */
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

/** What somebody got a mail of, for as long as it is so: what is over and comes again is told again. */
export const notificationMails = pgTable(
  'notification_mails',
  {
    personId: personId(),
    key: text('key').notNull(),
    mailedAt: timestamp('mailed_at', { withTimezone: true, mode: 'date' }).notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.personId, table.key] })],
)
