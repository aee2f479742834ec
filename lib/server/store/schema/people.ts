import 'server-only'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { StepUpMethod } from '@/lib/errors'
import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault } from '@/lib/operations/people'
import { bytea, now, timestamptz } from './columns'

/**
 * A person without a password and without `ssoSubject` (id at the identity provider) is only
 * invited. `demo` people exist only with the embedded sandbox and cannot sign in elsewhere.
 */
export const people = pgTable(
  'people',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    passwordHash: text('password_hash'),
    ssoIssuer: text('sso_issuer'),
    ssoSubject: text('sso_subject'),
    /** Reason why the person's groups were unknown at the last sign-in at the identity provider. */
    ssoGroupsFault: text('sso_groups_fault').$type<GroupsFault>(),
    demo: boolean('demo').notNull().default(false),
    /** Who created the last invitation link: its holder can sign in as this person. */
    invitedBy: uuid('invited_by').references((): AnyPgColumn => people.id, {
      onDelete: 'set null',
    }),
    invitedAt: timestamptz('invited_at'),
    disabledAt: timestamptz('disabled_at'),
    createdAt: timestamptz('created_at').notNull().default(now),
  },
  (table) => [
    uniqueIndex('people_email').on(sql`lower(${table.email})`),
    uniqueIndex('people_sso').on(table.ssoIssuer, table.ssoSubject),
    check('people_sso_whole', sql`(${table.ssoIssuer} is null) = (${table.ssoSubject} is null)`),
  ],
)

/**
 * Without an account, a grant covers the whole platform. `grantedBy` is null if a command or the
 * demo created the grant, or if it follows from the identity provider's groups (`fromSso`), which
 * are applied at every sign-in. In older grants, `createdAt` is the time at which this column was
 * added.
 */
export const grants = pgTable(
  'grants',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    environment: text('environment').$type<Environment>().notNull(),
    accountId: uuid('account_id'),
    expiresAt: timestamptz('expires_at'),
    grantedBy: uuid('granted_by').references(() => people.id, { onDelete: 'set null' }),
    fromSso: boolean('from_sso').notNull().default(false),
    createdAt: timestamptz('created_at').notNull().default(now),
  },
  (table) => [index('grants_person').on(table.personId)],
)

/** A second admin must confirm the role. Until then, the person does not have it. */
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
    expiresAt: timestamptz('expires_at'),
    requestedBy: uuid('requested_by')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: timestamptz('created_at').notNull().default(now),
  },
  (table) => [index('grant_requests_person').on(table.personId)],
)

/** For setting a password once. Only the hash of the link's token is stored. */
export const oneTimeLinks = pgTable(
  'one_time_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose').$type<'invite' | 'reset'>().notNull(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: timestamptz('created_at').notNull().default(now),
    expiresAt: timestamptz('expires_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [index('one_time_links_person').on(table.personId)],
)

/**
 * Only the cookie contains the token. `browser` and `system` are names from our own short lists;
 * null in older rows. `ssoAuthenticatedAt` is when the identity provider last authenticated the
 * person; null after a sign-in by password, or if the provider does not report it.
 */
export const sessions = pgTable(
  'sessions',
  {
    idHash: text('id_hash').primaryKey(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
    createdAt: timestamptz('created_at').notNull().default(now),
    lastSeenAt: timestamptz('last_seen_at').notNull().default(now),
    expiresAt: timestamptz('expires_at').notNull(),
    revokedAt: timestamptz('revoked_at'),
    browser: text('browser'),
    system: text('system'),
    ssoAuthenticatedAt: timestamptz('sso_authenticated_at'),
  },
  (table) => [index('sessions_person').on(table.personId)],
)

const createPersonIdColumn = (name = 'person_id') =>
  uuid(name)
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' })

/** Only public keys are stored, which give no access. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: createPersonIdColumn(),
    /** Id that the authenticator chose, base64url. */
    credentialId: text('credential_id').notNull(),
    publicKey: bytea('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    createdAt: timestamptz('created_at').notNull().default(now),
    lastUsedAt: timestamptz('last_used_at'),
  },
  (table) => [
    uniqueIndex('passkeys_credential').on(table.credentialId),
    index('passkeys_person').on(table.personId),
  ],
)

/** The secret is encrypted. A code is accepted only with a later time step than `lastStep`. */
export const totpSecrets = pgTable('totp_secrets', {
  personId: createPersonIdColumn().primaryKey(),
  secret: bytea('secret').notNull(),
  lastStep: bigint('last_step', { mode: 'number' }).notNull(),
  createdAt: timestamptz('created_at').notNull().default(now),
  lastUsedAt: timestamptz('last_used_at'),
})

/** For people who lost their passkeys and authenticator app. Each works once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: createPersonIdColumn(),
    codeHash: text('code_hash').notNull(),
    createdAt: timestamptz('created_at').notNull().default(now),
    usedAt: timestamptz('used_at'),
  },
  (table) => [uniqueIndex('recovery_codes_code').on(table.personId, table.codeHash)],
)

/**
 * Valid for ten minutes and one use. `value` is encrypted. A person has at most one row of each
 * kind.
 */
export const factorEnrollments = pgTable(
  'factor_enrollments',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: createPersonIdColumn(),
    sessionHash: text('session_hash').notNull(),
    kind: text('kind').$type<'passkey' | 'totp'>().notNull(),
    value: bytea('value').notNull(),
    tries: integer('tries').notNull().default(0),
    expiresAt: timestamptz('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('factor_enrollments_kind').on(table.personId, table.kind),
    index('factor_enrollments_end').on(table.expiresAt),
  ],
)

/**
 * The request that requires a proof, and when it was proven and used. A challenge is valid for two
 * minutes; its row is deleted an hour later.
 */
export const stepUps = pgTable(
  'step_ups',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    personId: createPersonIdColumn(),
    sessionHash: text('session_hash').notNull(),
    environment: text('environment').$type<Environment>().notNull(),
    operation: text('operation').notNull(),
    payloadHash: text('payload_hash').notNull(),
    /** Random bytes in base64url, part of the data that an authenticator signs. */
    nonce: text('nonce').notNull(),
    createdAt: timestamptz('created_at').notNull().default(now),
    expiresAt: timestamptz('expires_at').notNull(),
    tries: integer('tries').notNull().default(0),
    method: text('method').$type<StepUpMethod>(),
    provenAt: timestamptz('proven_at'),
    usedAt: timestamptz('used_at'),
  },
  (table) => [
    index('step_ups_person').on(table.personId, table.createdAt),
    index('step_ups_end').on(table.expiresAt),
  ],
)

/**
 * The person may not approve before `until`, because a passkey or authenticator app was removed or
 * replaced.
 */
export const approvalHolds = pgTable('approval_holds', {
  personId: createPersonIdColumn().primaryKey(),
  until: timestamptz('until').notNull(),
})
