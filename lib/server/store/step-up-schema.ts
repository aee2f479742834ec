import 'server-only'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { StepUpMethod } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { bytes } from './payload-schema'
import { people } from './schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`
const ofPerson = (name = 'person_id') =>
  uuid(name)
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** Passkeys of people. Only public keys, which give no access. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: ofPerson(),
    /** Id from the authenticator, base64url. */
    credentialId: text('credential_id').notNull(),
    publicKey: bytes('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    createdAt: at('created_at').notNull().default(now),
    lastUsedAt: at('last_used_at'),
  },
  (table) => [uniqueIndex('passkeys_credential').on(table.credentialId), index('passkeys_person').on(table.personId)],
)

/** A person's authenticator app: its encrypted secret, and the time step of the last code. Later codes must have a later step. */
export const totpSecrets = pgTable('totp_secrets', {
  personId: ofPerson().primaryKey(),
  secret: bytes('secret').notNull(),
  lastStep: bigint('last_step', { mode: 'number' }).notNull(),
  createdAt: at('created_at').notNull().default(now),
  lastUsedAt: at('last_used_at'),
})

/** Recovery codes for people who lost both factors, by keyed hash. Each works once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: ofPerson(),
    codeHash: text('code_hash').notNull(),
    createdAt: at('created_at').notNull().default(now),
    usedAt: at('used_at'),
  },
  (table) => [uniqueIndex('recovery_codes_code').on(table.personId, table.codeHash)],
)

/** A factor that is being added: the data for the browser, encrypted, for ten minutes and one use. A person has one of each kind. */
export const factorEnrollments = pgTable(
  'factor_enrollments',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: ofPerson(),
    sessionHash: text('session_hash').notNull(),
    kind: text('kind').$type<'passkey' | 'totp'>().notNull(),
    value: bytes('value').notNull(),
    tries: integer('tries').notNull().default(0),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [uniqueIndex('factor_enrollments_kind').on(table.personId, table.kind), index('factor_enrollments_end').on(table.expiresAt)],
)

/** Step-up challenges: the proof required for one request, and when it was given and used. Deleted an hour after their two minutes. */
export const stepUps = pgTable(
  'step_ups',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: ofPerson(),
    sessionHash: text('session_hash').notNull(),
    environment: text('environment').$type<Environment>().notNull(),
    operation: text('operation').notNull(),
    payloadHash: text('payload_hash').notNull(),
    /** Random, base64url: a part of the data that an authenticator signs. */
    nonce: text('nonce').notNull(),
    createdAt: at('created_at').notNull().default(now),
    expiresAt: at('expires_at').notNull(),
    tries: integer('tries').notNull().default(0),
    method: text('method').$type<StepUpMethod>(),
    provenAt: at('proven_at'),
    usedAt: at('used_at'),
  },
  (table) => [index('step_ups_person').on(table.personId, table.createdAt), index('step_ups_end').on(table.expiresAt)],
)

/** Until when a person may not approve, because one of their factors was removed. */
export const approvalHolds = pgTable('approval_holds', { personId: ofPerson().primaryKey(), until: at('until').notNull() })
