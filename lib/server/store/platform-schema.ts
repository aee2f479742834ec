import 'server-only'
import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { at, mirrorColumns } from './mirror-schema'

/** Accounts; each is its own `account_id`. */
export const mirrorAccounts = pgTable(
  'mirror_accounts',
  {
    ...mirrorColumns(),
    organizationId: uuid('organization_id'),
    type: text('type'),
    status: text('status').notNull(),
    externalId: text('external_id'),
    name: text('name').notNull(),
    createdAt: at('created_at'),
    search: text('search').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_accounts_name').on(table.environment, sql`${table.name} collate "C"`, table.id),
    index('mirror_accounts_organization').on(table.environment, table.organizationId),
  ],
)

/** Settings of accounts, by the account's id. They have no time of their own, so the last one that was seen counts. */
export const mirrorAccountSettings = pgTable('mirror_account_settings', mirrorColumns(), (table) => [
  primaryKey({ columns: [table.environment, table.id] }),
])

export const mirrorCapabilityRequests = pgTable(
  'mirror_capability_requests',
  {
    ...mirrorColumns(),
    type: text('type').notNull(),
    category: text('category'),
    status: text('status').notNull(),
    createdAt: at('created_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_capability_requests_account').on(table.environment, table.accountId, table.id),
    index('mirror_capability_requests_status').on(table.environment, table.status),
  ],
)

/** Organizations belong to the platform and have no account. */
export const mirrorOrganizations = pgTable(
  'mirror_organizations',
  { ...mirrorColumns(), name: text('name').notNull(), externalId: text('external_id'), createdAt: at('created_at') },
  (table) => [primaryKey({ columns: [table.environment, table.id] })],
)

export const mirrorRepresentatives = pgTable(
  'mirror_representatives',
  { ...mirrorColumns(), name: text('name').notNull(), createdAt: at('created_at') },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_representatives_account').on(table.environment, table.accountId, table.id),
  ],
)

/** Linked bank accounts. One without an account belongs to the platform. */
export const mirrorLinkedBankAccounts = pgTable(
  'mirror_linked_bank_accounts',
  {
    ...mirrorColumns(),
    status: text('status').notNull(),
    purposes: text('purposes').array().notNull(),
    createdAt: at('created_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('mirror_linked_bank_accounts_account').on(table.environment, table.accountId, table.id),
  ],
)
