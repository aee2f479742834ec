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
 * Those who may sign in: by a password, or at the identity provider, which knows them by `ssoSubject`. With neither one is only invited. `demo` people exist only
 * beside the embedded sandbox and are refused everywhere else.
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
    /** Why the provider's groups were not known at the last sign-in there. */
    ssoGroupsFault: text('sso_groups_fault').$type<GroupsFault>(),
    demo: boolean('demo').notNull().default(false),
    /** The admin who made the last invitation link, and when: whoever has the link can become this person. */
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
 * What a person may be, where. A grant always names its environment; without an account it holds for the whole platform. One past `expiresAt` is held no
 * more. `grantedBy` is null where a command or the demo made it, or (`fromSso`) the identity provider's groups did, whose word is taken at every sign-in; `createdAt` of grants older than the column is the time of their migration.
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
 * A person's word on an action, as the store keeps it: `by` is the person's id, `at` a timestamp. Rows without `by` are older than the rule that
 * the sender never decides: there the sender did.
 */
export type Decision = { outcome: 'applied' | 'refused'; by?: string; at: string; evidence: string }

/** What a first person says became of an action; a second one agrees or not. */
export type Proposal = Required<Decision>

/** A second person's answer to a request, as the store keeps it: `by` is a person's id, null where nobody did it. */
export type Approval = Pick<ApprovalView, 'outcome' | 'by' | 'at' | 'reason'>

/** The rule that asked for a second person, and the version of the policy it is from. */
export type AppliedRule = PolicyRule & { version: number }

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
    /** Who stated it first; the decision is another person's. */
    proposal: jsonb('proposal').$type<Proposal>(),
    /** The cents it adds to what its person moved that day; null for what moves no amount, and in rows older than this column. */
    moved: bigint('moved', { mode: 'number' }),
    /** The rule that asked for a second person; null where none was needed. */
    rule: jsonb('rule').$type<AppliedRule>(),
    /** The object as whoever asked saw it, encrypted: masked JSON, as the service answered it when it was compared. */
    seen: bytes('seen'),
    /** Until when a second person may approve it. */
    expiresAt: at('expires_at'),
    approval: jsonb('approval').$type<Approval>(),
  },
  (table) => [
    uniqueIndex('actions_key').on(table.idempotencyKey),
    uniqueIndex('actions_one_open')
      .on(table.environment, table.target)
      .where(sql`exclusive and state in ('awaiting_approval', 'sending', 'unknown', 'needs_human')`),
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
    // Requests for approval, the nearest end first, and those whose time is over.
    index('actions_awaiting').on(table.environment, table.expiresAt).where(sql`state = 'awaiting_approval'`),
    // Answered requests, the newest first.
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
