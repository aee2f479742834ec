import 'server-only'
import { sql } from 'drizzle-orm'
import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Environment, Role } from '@/lib/operations/define'
import { people } from './schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

/** Roles that one admin granted and another admin must confirm. Until then the person does not have them. */
export const grantRequests = pgTable(
  'grant_requests',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    environment: text('environment').$type<Environment>().notNull(),
    accountId: uuid('account_id'),
    expiresAt: at('expires_at'),
    requestedBy: uuid('requested_by')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull().default(now),
  },
  (table) => [index('grant_requests_person').on(table.personId)],
)

/** Links with which their holder can set a password once. Only the hash of the token is stored. */
export const oneTimeLinks = pgTable(
  'one_time_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose').$type<'invite' | 'reset'>().notNull(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull().default(now),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [index('one_time_links_person').on(table.personId)],
)

/**
 * Sessions by the hash of their token, which only the cookie contains. `browser` and `system` are families in our own words; null in rows
 * older than the columns. `ssoAuthenticatedAt` is when the identity provider last authenticated the person; null after a sign-in by
 * password, or if the provider does not report it.
 */
export const sessions = pgTable(
  'sessions',
  {
    idHash: text('id_hash').primaryKey(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull().default(now),
    lastSeenAt: at('last_seen_at').notNull().default(now),
    expiresAt: at('expires_at').notNull(),
    revokedAt: at('revoked_at'),
    browser: text('browser'),
    system: text('system'),
    ssoAuthenticatedAt: at('sso_authenticated_at'),
  },
  (table) => [index('sessions_person').on(table.personId)],
)
