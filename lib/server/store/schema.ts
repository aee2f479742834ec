import 'server-only'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
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
import type { ActionState, ApprovalView, TickedWarning } from '@/lib/operations/answer'
import type { Environment, Role } from '@/lib/operations/define'
import type { GroupsFault } from '@/lib/operations/people'
import type { PolicyRule } from '@/lib/operations/policies'
import { bytes, payloads } from './payload-schema'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const now = sql`now()`

/**
 * People who may sign in: by a password, or at the identity provider, which identifies them by `ssoSubject`. A person with neither is only
 * invited. `demo` people exist only beside the embedded sandbox and are refused everywhere else.
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
    /** Why the provider's groups were unknown at the last sign-in there. */
    ssoGroupsFault: text('sso_groups_fault').$type<GroupsFault>(),
    demo: boolean('demo').notNull().default(false),
    /** The admin who created the last invitation link, and when. The holder of the link can become this person. */
    invitedBy: uuid('invited_by').references((): AnyPgColumn => people.id, { onDelete: 'set null' }),
    invitedAt: at('invited_at'),
    disabledAt: at('disabled_at'),
    createdAt: at('created_at').notNull().default(now),
  },
  (table) => [
    uniqueIndex('people_email').on(sql`lower(${table.email})`),
    uniqueIndex('people_sso').on(table.ssoIssuer, table.ssoSubject),
    check('people_sso_whole', sql`(${table.ssoIssuer} is null) = (${table.ssoSubject} is null)`),
  ],
)

/**
 * Roles of people. A grant always names its environment; without an account it covers the whole platform. It ends at `expiresAt`.
 * `grantedBy` is null if a command or the demo created it, or (`fromSso`) the identity provider's groups, which apply at every sign-in.
 * `createdAt` of grants older than the column is the time of their migration.
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
    expiresAt: at('expires_at'),
    grantedBy: uuid('granted_by').references(() => people.id, { onDelete: 'set null' }),
    fromSso: boolean('from_sso').notNull().default(false),
    createdAt: at('created_at').notNull().default(now),
  },
  (table) => [index('grants_person').on(table.personId)],
)

/**
 * A person's statement about an action's outcome: `by` is the person's id, `at` a timestamp. Rows without `by` are older than the rule that
 * the sender never decides: the sender decided them.
 */
export type Decision = { outcome: 'applied' | 'refused'; by?: string; at: string; evidence: string }

export type Proposal = Required<Decision>

/** The answer to an approval request. `by` is the second person's id; null if no person gave it. */
export type Approval = Pick<ApprovalView, 'outcome' | 'by' | 'at' | 'reason'>

/** The rule that required a second person, and the version of its policy. */
export type AppliedRule = PolicyRule & { version: number }

/** The action log: every write, before anything is sent. One row owns one idempotency key and one sequence of bytes. */
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
    /** Encrypted details of an uploaded proof: who authorized the payment, when and how. */
    proof: bytes('proof'),
    bodySha256: text('body_sha256').notNull(),
    /** Ids in the request and the response: all that is left of both for finding an action. Null in rows older than this column. */
    mentions: uuid('mentions').array(),
    reason: text('reason'),
    /** Warnings confirmed before sending; null if there were none. Codes and our own sentences, no personal data. */
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
    /** Outcome that people stated because it could not be determined, with its evidence. */
    decision: jsonb('decision').$type<Decision>(),
    /** The first statement of the outcome. The decision is another person's. */
    proposal: jsonb('proposal').$type<Proposal>(),
    /** Cents it adds to the amount its person moved that day; null if it moves no amount, and in rows older than this column. */
    moved: bigint('moved', { mode: 'number' }),
    /** The rule that required a second person; null if none did. */
    rule: jsonb('rule').$type<AppliedRule>(),
    /** The object as the requester saw it, encrypted: masked JSON, as the service returned it for the comparison. */
    seen: bytes('seen'),
    /** Deadline for the second person's approval. */
    expiresAt: at('expires_at'),
    approval: jsonb('approval').$type<Approval>(),
  },
  (table) => [
    uniqueIndex('actions_key').on(table.idempotencyKey),
    uniqueIndex('actions_one_open')
      .on(table.environment, table.target)
      .where(sql`exclusive and state in ('awaiting_approval', 'sending', 'unknown', 'needs_human')`),
    index('actions_target').on(table.environment, table.target, table.createdAt.desc().nullsFirst()),
    // A person's writes of the last hour are counted before each new one.
    index('actions_actor').on(table.actorId, table.createdAt),
    // Support quotes these ids. They are looked up by their exact text, see find-trace.
    index('actions_correlation').on(table.correlationId),
    index('actions_api_request').on(table.apiRequestId),
    // Actions with an unresolved outcome, in display order. Few rows, however many actions there were.
    index('actions_open').on(table.environment, table.createdAt).where(sql`state in ('sending', 'unknown', 'needs_human')`),
    index('actions_due').on(table.nextCheckAt).where(sql`state in ('sending', 'unknown')`),
    index('actions_mentions').using('gin', table.mentions),
    // For the eraser, like `actions_answered`. Both are empty most of the time.
    index('actions_unread').on(table.id).where(sql`mentions is null`),
    // For re-encryption under a new key.
    index('actions_proof').on(table.id).where(sql`proof is not null`),
    index('actions_answered').on(table.settledAt).where(sql`answer is not null`),
    // Waiting approval requests, nearest end first, and expired ones.
    index('actions_awaiting').on(table.environment, table.expiresAt).where(sql`state = 'awaiting_approval'`),
    // Answered requests, newest first.
    index('actions_approvals').on(table.environment, table.createdAt.desc().nullsFirst()).where(sql`expires_at is not null`),
    check('actions_body_while_open', sql`body is null or state in ('awaiting_approval', 'sending', 'unknown')`),
    check(
      'actions_approved_by_another',
      sql`coalesce((${table.approval} ->> 'outcome') not in ('approved', 'rejected') or (${table.approval} ->> 'by')::uuid <> ${table.actorId}, ${table.approval} is null)`,
    ),
    check(
      'actions_sent_once_approved',
      sql`${table.rule} is null or state in ('awaiting_approval', 'rejected', 'withdrawn', 'expired', 'void') or coalesce(${table.approval} ->> 'outcome' = 'approved', false)`,
    ),
    check(
      'actions_proposed_by_another',
      sql`${table.proposal} is null or ((${table.proposal} ->> 'by')::uuid <> ${table.actorId} and coalesce((${table.decision} ->> 'by')::uuid <> (${table.proposal} ->> 'by')::uuid, true))`,
    ),
    // Compared as ids: the same id can have two spellings.
    check('actions_decided_by_another', sql`(${table.decision} ->> 'by')::uuid is distinct from ${table.actorId}`),
  ],
)

/** Every attempt to send. The row is committed first, so a missing row proves that nothing was sent. */
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

/** Keys of the store's own, encrypted under the configured one. Their hashes must stay comparable after any rotation. */
export const keptKeys = pgTable('kept_keys', { name: text('name').primaryKey(), value: bytes('value').notNull() })

/** The newest link of the audit chain. Each transaction that appends locks it, which keeps the sequence without gaps. */
export const auditHead = pgTable('audit_head', {
  id: integer('id').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
})

/** The audit chain. Insert-only: triggers refuse the rest. `body` is canonical JSON with ids and hashes, never personal data. */
export const audit = pgTable('audit', {
  seq: bigint('seq', { mode: 'number' }).primaryKey(),
  body: text('body').notNull(),
  prev: text('prev').notNull(),
  hash: text('hash').notNull(),
})
