import 'server-only'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { WireError } from '@/lib/errors'
import type { ActionState, TickedWarning } from '@/lib/operations/answer'
import type { Environment, Role } from '@/lib/operations/define'

const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
})
const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

/** Those who may sign in. `demo` people exist only beside the embedded sandbox and are refused everywhere else. */
export const people = pgTable(
  'people',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    passwordHash: text('password_hash').notNull(),
    demo: boolean('demo').notNull().default(false),
    disabledAt: at('disabled_at'),
    createdAt: at('created_at').notNull().default(now),
  },
  (table) => [uniqueIndex('people_email').on(sql`lower(${table.email})`)],
)

/** What a person may be, where. A grant always names its environment; without an account it holds for the whole platform. */
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
  },
  (table) => [index('grants_person').on(table.personId)],
)

/** Sessions by the hash of their token; the cookie holds the token and nothing else. */
export const sessions = pgTable('sessions', {
  idHash: text('id_hash').primaryKey(),
  personId: uuid('person_id')
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' }),
  createdAt: at('created_at').notNull().default(now),
  lastSeenAt: at('last_seen_at').notNull().default(now),
  expiresAt: at('expires_at').notNull(),
  revokedAt: at('revoked_at'),
})

/**
 * A person's word on an action, as the store keeps it: `by` is the person's id, `at` a timestamp. Rows without `by` are older than the rule that
 * the sender never decides: there the sender did.
 */
export type Decision = { outcome: 'applied' | 'refused'; by?: string; at: string; evidence: string }

/** The action log: every write, before anything is sent. One row owns one idempotency key and one run of bytes. */
export const actions = pgTable(
  'actions',
  {
    id: uuid('id').primaryKey(),
    environment: text('environment').$type<Environment>().notNull(),
    operation: text('operation').notNull(),
    accountId: uuid('account_id'),
    target: text('target'),
    actorId: uuid('actor_id')
      .notNull()
      .references(() => people.id),
    sessionHash: text('session_hash').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    correlationId: text('correlation_id').notNull(),
    fingerprint: text('fingerprint').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    contentType: text('content_type').notNull(),
    body: bytes('body'),
    payloadId: uuid('payload_id').references(() => payloads.id),
    /** What was said of an uploaded proof, encrypted: who authorized the payment, when and how. */
    proof: bytes('proof'),
    bodySha256: text('body_sha256').notNull(),
    /** The ids in what was sent and answered: what is left of both for finding an action. Null in rows older than this column. */
    mentions: uuid('mentions').array(),
    reason: text('reason'),
    /** The warnings that were ticked before it was sent; null where there were none. Codes and our own sentences, no personal data. */
    warnings: jsonb('warnings').$type<TickedWarning[]>(),
    snapshotHash: text('snapshot_hash'),
    serviceKey: text('service_key').notNull(),
    exclusive: boolean('exclusive').notNull(),
    state: text('state').$type<ActionState>().notNull(),
    leaseOwner: text('lease_owner'),
    leaseUntil: at('lease_until'),
    fence: integer('fence').notNull().default(1),
    checks: integer('checks').notNull().default(0),
    nextCheckAt: at('next_check_at'),
    firstSentAt: at('first_sent_at'),
    createdAt: at('created_at').notNull().default(now),
    settledAt: at('settled_at'),
    answerStatus: integer('answer_status'),
    answer: bytes('answer'),
    error: jsonb('error').$type<WireError>(),
    replayed: boolean('replayed').notNull().default(false),
    effectVerified: boolean('effect_verified'),
    apiRequestId: text('api_request_id'),
    /** Who stated its outcome where nobody could find out, and on what evidence. */
    decision: jsonb('decision').$type<Decision>(),
  },
  (table) => [
    uniqueIndex('actions_key').on(table.idempotencyKey),
    uniqueIndex('actions_one_open')
      .on(table.environment, table.target)
      .where(sql`exclusive and state in ('sending', 'unknown', 'needs_human')`),
    index('actions_target').on(table.environment, table.target, table.createdAt.desc().nullsFirst()),
    // A person's writes of the last hour are counted before each further one.
    index('actions_actor').on(table.actorId, table.createdAt),
    // Support quotes these ids; they are looked for by their exact text, see find-trace.
    index('actions_correlation').on(table.correlationId),
    index('actions_api_request').on(table.apiRequestId),
    // What nobody knows the outcome of, in the order it is told; a few rows however many actions there were.
    index('actions_open').on(table.environment, table.createdAt).where(sql`state in ('sending', 'unknown', 'needs_human')`),
    index('actions_due').on(table.nextCheckAt).where(sql`state in ('sending', 'unknown')`),
    index('actions_mentions').using('gin', table.mentions),
    // What the eraser looks for; both are empty most of the time.
    index('actions_unread').on(table.id).where(sql`mentions is null`),
    // What is re-encrypted under each new key.
    index('actions_proof').on(table.id).where(sql`proof is not null`),
    index('actions_answered').on(table.settledAt).where(sql`answer is not null`),
    check('actions_body_while_open', sql`body is null or state in ('sending', 'unknown')`),
    // Compared as ids: the same one may be written in two ways.
    check('actions_decided_by_another', sql`(${table.decision} ->> 'by')::uuid is distinct from ${table.actorId}`),
  ],
)

/** Every time bytes were about to leave; the row is committed first, so no row proves that nothing was sent. */
export const attempts = pgTable(
  'attempts',
  {
    actionId: uuid('action_id')
      .notNull()
      .references(() => actions.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    requestId: text('request_id').notNull(),
    startedAt: at('started_at').notNull().default(now),
    endedAt: at('ended_at'),
    status: integer('status'),
    fault: text('fault'),
    apiRequestId: text('api_request_id'),
    replayed: boolean('replayed').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.actionId, table.number] }),
    index('attempts_request').on(table.requestId),
    index('attempts_api_request').on(table.apiRequestId),
  ],
)

/** Uploaded files: what is kept permanently (hash, size, kind, name); the bytes are in chunks until the outcome is known. */
export const payloads = pgTable('payloads', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  contentType: text('content_type').notNull(),
  size: integer('size').notNull().default(0),
  sha256: text('sha256'),
  createdAt: at('created_at').notNull().default(now),
  /** When the chunks were let go; null while they are kept. */
  releasedAt: at('released_at'),
})

/** The encrypted bytes of a payload, in order. */
export const payloadChunks = pgTable(
  'payload_chunks',
  {
    payloadId: uuid('payload_id')
      .notNull()
      .references(() => payloads.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payloadId, table.number] })],
)

/** Keys of the store's own, encrypted under the configured one: what they made must stay comparable whatever is rotated. */
export const keptKeys = pgTable('kept_keys', { name: text('name').primaryKey(), value: bytes('value').notNull() })

/** The newest link of the audit chain; locked inside each transaction that appends, which keeps the sequence gapless. */
export const auditHead = pgTable('audit_head', {
  id: integer('id').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
})

/** The audit chain. Insert-only: triggers refuse the rest. `body` is canonical JSON and holds ids and hashes, never personal data. */
export const audit = pgTable('audit', {
  seq: bigint('seq', { mode: 'number' }).primaryKey(),
  body: text('body').notNull(),
  prev: text('prev').notNull(),
  hash: text('hash').notNull(),
})
