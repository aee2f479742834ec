import 'server-only'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { WireError } from '@/lib/errors'
import type { ActionState, ApprovalView, ConfirmedWarning } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { Integration } from '@/lib/operations/integration'
import type { PolicyRule } from '@/lib/operations/policies'
import { bytea, now, timestamptz } from './columns'
import { people } from './people'

/** `settled`: no copy was kept. `expired`: the retention ended. `erased`: with its customer. */
export type ReleaseReason = 'settled' | 'expired' | 'erased'

/**
 * Hash, size, type and name are kept permanently. `payload_chunks` contains the bytes while the
 * action that sends the file is open, and afterwards the copy of an attached proof, for
 * `PROOF_RETENTION_DAYS`.
 */
export const filePayloads = pgTable(
  'payloads',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    size: integer('size').notNull().default(0),
    sha256: text('sha256'),
    createdAt: timestamptz('created_at').notNull().default(now),
    /** When the chunks were deleted; null while they exist. */
    releasedAt: timestamptz('released_at'),
    /** Why the chunks were deleted; null also in rows of older versions, which kept no copies. */
    releaseReason: text('release_reason').$type<ReleaseReason>(),
  },
  (table) => [
    // For finding copies whose retention has ended.
    index('payloads_kept').on(table.createdAt).where(sql`released_at is null`),
  ],
)

/** The bytes are encrypted. */
export const filePayloadChunks = pgTable(
  'payload_chunks',
  {
    payloadId: uuid('payload_id')
      .notNull()
      .references(() => filePayloads.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payloadId, table.number] })],
)

/**
 * The outcome of an action, stated by a person because Paydesk could not determine it. In rows of
 * older versions `by` can be missing: there, the sender of the action stated it.
 */
export type StoredDecision = {
  outcome: 'applied' | 'refused'
  by?: string
  at: string
  evidence: string
}

export type StoredProposal = Required<StoredDecision>

/** `by` is null if no person decided, for example because the request expired. */
export type StoredApproval = Pick<ApprovalView, 'outcome' | 'by' | 'at' | 'reason'> &
  Partial<Pick<ApprovalView, 'documents'>>

export type StoredFirstApproval = { by: string; at: string }

/** The approval rule that required a second person. `version` is that of its policy. */
export type AppliedRule = PolicyRule & { version: number }

/**
 * One row per write to the service, inserted before anything is sent, with its own idempotency key
 * and the bytes of its request.
 */
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
    body: bytea('body'),
    payloadId: uuid('payload_id').references(() => filePayloads.id),
    /** Encrypted: who authorized the payment, when and how. */
    proof: bytea('proof'),
    bodySha256: text('body_sha256').notNull(),
    /**
     * Ids in the request and the response, for finding an action after both are erased. Null in
     * older rows.
     */
    mentions: uuid('mentions').array(),
    reason: text('reason'),
    /** Codes and our own sentences, without personal data. Null if there were no warnings. */
    warnings: jsonb('warnings').$type<ConfirmedWarning[]>(),
    snapshotHash: text('snapshot_hash'),
    serviceKey: text('service_key').notNull(),
    /**
     * Every send follows the account header rules of this kind, even if the setting changed. Null in
     * older rows, which follow the setting.
     */
    integration: text('integration').$type<Integration>(),
    exclusive: boolean('exclusive').notNull(),
    state: text('state').$type<ActionState>().notNull(),
    leaseOwner: text('lease_owner'),
    leaseUntil: timestamptz('lease_until'),
    fence: integer('fence').notNull().default(1),
    checks: integer('checks').notNull().default(0),
    nextCheckAt: timestamptz('next_check_at'),
    firstSentAt: timestamptz('first_sent_at'),
    createdAt: timestamptz('created_at').notNull().default(now),
    settledAt: timestamptz('settled_at'),
    answerStatus: integer('answer_status'),
    answer: bytea('answer'),
    error: jsonb('error').$type<WireError>(),
    replayed: boolean('replayed').notNull().default(false),
    effectVerified: boolean('effect_verified'),
    apiRequestId: text('api_request_id'),
    /** The outcome that two people stated because Paydesk could not determine it. */
    decision: jsonb('decision').$type<StoredDecision>(),
    /** For an unknown outcome: the outcome that a first person stated, until a second one decides. */
    proposal: jsonb('proposal').$type<StoredProposal>(),
    /** Cents that count to the requester's daily amount. Null if none, and in older rows. */
    moved: bigint('moved', { mode: 'number' }),
    /** The approval rule that required a second person; null if none did. */
    rule: jsonb('rule').$type<AppliedRule>(),
    /** The target as the requester saw it, encrypted and with masked personal data. */
    seen: bytea('seen'),
    /** Deadline for the second person's approval. */
    expiresAt: timestamptz('expires_at'),
    approval: jsonb('approval').$type<StoredApproval>(),
    /** The first approval, if the rule requires two. */
    firstApproval: jsonb('first_approval').$type<StoredFirstApproval>(),
  },
  (table) => [
    uniqueIndex('actions_key').on(table.idempotencyKey),
    uniqueIndex('actions_one_open')
      .on(table.environment, table.target)
      .where(
        sql`exclusive and state in ('awaiting_approval', 'sending', 'unknown', 'needs_human')`,
      ),
    index('actions_target').on(
      table.environment,
      table.target,
      table.createdAt.desc().nullsFirst(),
    ),
    // For counting the writes of a person in the last hour, before each new write.
    index('actions_actor').on(table.actorId, table.createdAt),
    // For a search by an id that the service's support mentions.
    index('actions_correlation').on(table.correlationId),
    index('actions_api_request').on(table.apiRequestId),
    // For actions with an unresolved outcome, in the order of pages. The index stays small.
    index('actions_open')
      .on(table.environment, table.createdAt)
      .where(sql`state in ('sending', 'unknown', 'needs_human')`),
    index('actions_due').on(table.nextCheckAt).where(sql`state in ('sending', 'unknown')`),
    index('actions_mentions').using('gin', table.mentions),
    // For rows of older versions in which `mentions` must still be set. Usually there are none.
    index('actions_unread').on(table.id).where(sql`mentions is null`),
    // For finding the action of a file.
    index('actions_payload').on(table.payloadId).where(sql`payload_id is not null`),
    // For finding proofs that must be re-encrypted with a new key.
    index('actions_proof').on(table.id).where(sql`proof is not null`),
    // For deleting responses a day after their action ended.
    index('actions_answered').on(table.settledAt).where(sql`answer is not null`),
    // For approval requests that wait for a decision, in the order in which they expire.
    index('actions_awaiting')
      .on(table.environment, table.expiresAt)
      .where(sql`state = 'awaiting_approval'`),
    // For the list of approval requests, newest first.
    index('actions_approvals')
      .on(table.environment, table.createdAt.desc().nullsFirst())
      .where(sql`expires_at is not null`),
    check(
      'actions_body_while_open',
      sql`body is null or state in ('awaiting_approval', 'sending', 'unknown')`,
    ),
    check(
      'actions_approved_by_another',
      sql`coalesce((${table.approval} ->> 'outcome') not in ('approved', 'rejected') or (${table.approval} ->> 'by')::uuid <> ${table.actorId}, ${table.approval} is null)`,
    ),
    check(
      'actions_sent_once_approved',
      sql`${table.rule} is null or state in ('awaiting_approval', 'rejected', 'withdrawn', 'expired', 'void') or coalesce(${table.approval} ->> 'outcome' = 'approved', false)`,
    ),
    check(
      'actions_approved_by_two',
      sql`(${table.rule} ->> 'approvers') is distinct from '2' or (${table.approval} ->> 'outcome') is distinct from 'approved' or coalesce((${table.firstApproval} ->> 'by')::uuid not in (${table.actorId}, (${table.approval} ->> 'by')::uuid), false)`,
    ),
    check(
      'actions_proposed_by_another',
      sql`${table.proposal} is null or ((${table.proposal} ->> 'by')::uuid <> ${table.actorId} and coalesce((${table.decision} ->> 'by')::uuid <> (${table.proposal} ->> 'by')::uuid, true))`,
    ),
    // Compares uuids: as texts, the same id can be written in upper or lower case.
    check(
      'actions_decided_by_another',
      sql`(${table.decision} ->> 'by')::uuid is distinct from ${table.actorId}`,
    ),
  ],
)

/** The row is committed before the request is sent: a missing row proves that nothing was sent. */
export const attempts = pgTable(
  'attempts',
  {
    actionId: uuid('action_id')
      .notNull()
      .references(() => actions.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    requestId: text('request_id').notNull(),
    startedAt: timestamptz('started_at').notNull().default(now),
    endedAt: timestamptz('ended_at'),
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
