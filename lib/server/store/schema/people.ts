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
 * People who may sign in: by a password, or at the identity provider, which identifies them by
 * `ssoSubject`. A person with neither is only invited. `demo` people exist only with the embedded
 * sandbox and cannot sign in anywhere else.
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
    /**
     * The admin who created the last invitation link, and when. The holder of the link can sign in
     * as this person.
     */
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
 * Roles of people. A grant always names its environment; without an account it covers the whole
 * platform. It ends at `expiresAt`. `grantedBy` is null if a command or the demo created the grant,
 * or if it follows from the identity provider's groups (`fromSso`), which are applied at every
 * sign-in. In older grants, `createdAt` is the time at which this column was added.
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

/**
 * Roles that one admin granted and a second admin must confirm. Until then, the person does not
 * have the role.
 */
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

/**
 * Links with which a person can set a password once. Only the hash of the link's token is stored.
 */
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
 * Sessions, by the hash of their token, which only the cookie contains. `browser` and `system` are
 * names from our own short lists; null in rows older than these columns. `ssoAuthenticatedAt` is
 * when the identity provider last authenticated the person; null after a sign-in by password, or if
 * the provider does not report it.
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

/** Passkeys of people. Only public keys are stored, which give no access. */
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

/**
 * A person's authenticator app: its encrypted secret, and the time step of the last used code. A
 * code is accepted only with a later time step.
 */
export const totpSecrets = pgTable('totp_secrets', {
  personId: createPersonIdColumn().primaryKey(),
  secret: bytea('secret').notNull(),
  lastStep: bigint('last_step', { mode: 'number' }).notNull(),
  createdAt: timestamptz('created_at').notNull().default(now),
  lastUsedAt: timestamptz('last_used_at'),
})

/**
 * Recovery codes for people who lost their passkeys and authenticator app, by keyed hash. Each
 * works once.
 */
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
 * A passkey or authenticator app that a person is adding: its encrypted data, valid for ten minutes
 * and one use. A person has at most one row of each kind.
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
 * Step-up challenges: the request for which a proof is required, and when the proof was given and
 * used. A challenge is valid for two minutes; its row is deleted an hour later.
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
 * The time until which a person may not approve actions, because a passkey or authenticator app of
 * theirs was removed.
 */
export const approvalHolds = pgTable('approval_holds', {
  personId: createPersonIdColumn().primaryKey(),
  until: timestamptz('until').notNull(),
})
