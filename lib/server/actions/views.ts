import 'server-only'
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type ActionView, type AttemptView, openActionStates } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import { actions, attempts, filePayloads } from '@/lib/server/store/schema/actions'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import type { Action } from './action-log'
import { decryptAuthorizationDetails } from './authorization-details'
import type { Attempt } from './complete-action'
import { listActionsDecidableByOthers } from './decide'
import { findWebhookEvidence } from './evidence'
import { toDocumentCopy } from './payload-copies'

const toIsoTime = (date: Date | null): string | null => date?.toISOString() ?? null

const toAttemptView = (attempt: Attempt): AttemptView => ({
  number: attempt.number,
  request_id: attempt.requestId,
  started_at: attempt.startedAt.toISOString(),
  ended_at: toIsoTime(attempt.endedAt),
  status: attempt.status,
  fault: attempt.fault,
  api_request_id: attempt.apiRequestId,
  replayed: attempt.replayed,
})

/** `id` is the signed-in person. `decidable` are the actions that two other people can decide. */
type ActionViewContext = {
  id: string
  decidable: ReadonlySet<string>
  evidence: Awaited<ReturnType<typeof findWebhookEvidence>>
}

type ActionPeopleNames = {
  actor: string
  decider: string | null
  proposer: string | null
  approver: string | null
}

type ActionWithNames = ActionPeopleNames & {
  action: Action
  file: typeof filePayloads.$inferSelect | null
}

function toDecisionView({
  action: { decision },
  actor,
  decider,
}: ActionWithNames): ActionView['decided'] {
  if (!decision) return null
  const { outcome, at, evidence } = decision
  return { outcome, by: decider ?? actor, at: new Date(at).toISOString(), evidence }
}

function toProposalView(
  { action: { proposal }, proposer }: ActionWithNames,
  readerId: string,
): ActionView['proposal'] {
  if (!proposal) return null
  const { outcome, by, at, evidence } = proposal
  return {
    outcome,
    by: proposer ?? '',
    own: by === readerId,
    at: new Date(at).toISOString(),
    evidence,
  }
}

function toApprovalView(
  { action: { approval }, approver }: ActionWithNames,
  readerId: string,
): ActionView['approval'] {
  if (!approval) return null
  const { outcome, by, at, reason, documents = [] } = approval
  return {
    outcome,
    by: approver,
    own: by === readerId,
    at: new Date(at).toISOString(),
    reason,
    documents,
  }
}

const toFileView = (file: typeof filePayloads.$inferSelect): ActionView['file'] => ({
  name: file.name,
  size: file.size,
  sha256: file.sha256 ?? '',
  copy: toDocumentCopy(file),
})

function toActionView(
  row: ActionWithNames,
  actionAttempts: readonly Attempt[],
  reader: ActionViewContext,
): ActionView {
  const { action, file } = row
  const isOwn = action.actorId === reader.id
  return {
    id: action.id,
    operation: action.operation as ServiceOperationId,
    environment: action.environment,
    account: action.accountId ? formatAccountId(action.accountId) : null,
    target: action.target,
    state: action.state,
    actor: row.actor,
    own: isOwn,
    reason: action.reason,
    warnings: action.warnings ?? [],
    file: file ? toFileView(file) : null,
    proof: decryptAuthorizationDetails(action),
    idempotency_key: action.idempotencyKey,
    correlation_id: action.correlationId,
    created_at: action.createdAt.toISOString(),
    settled_at: toIsoTime(action.settledAt),
    next_check_at: toIsoTime(action.nextCheckAt),
    replayed: action.replayed,
    effect_verified: action.effectVerified,
    error: action.error,
    attempts: actionAttempts.map(toAttemptView),
    evidence: reader.evidence.get(action.id) ?? [],
    decided: toDecisionView(row),
    proposal: toProposalView(row, reader.id),
    others_can_decide: action.state === 'needs_human' ? reader.decidable.has(action.id) : null,
    expires_at: toIsoTime(action.expiresAt),
    approval: toApprovalView(row, reader.id),
  }
}

export async function toActionViews(
  db: Db,
  rows: readonly ActionWithNames[],
  readerId: string,
): Promise<ActionView[]> {
  const actionIds = rows.map((row) => row.action.id)
  const allAttempts =
    actionIds.length > 0
      ? await db
          .select()
          .from(attempts)
          .where(inArray(attempts.actionId, actionIds))
          .orderBy(attempts.number)
      : []
  const undecidedRows = rows.filter(({ action }) => action.state === 'needs_human')
  const viewContext = {
    id: readerId,
    decidable: await listActionsDecidableByOthers(
      db,
      undecidedRows.map(({ action }) => action.id),
    ),
    evidence: await findWebhookEvidence(
      db,
      rows.map(({ action }) => action),
    ),
  }
  return rows.map((row) =>
    toActionView(
      row,
      allAttempts.filter((attempt) => attempt.actionId === row.action.id),
      viewContext,
    ),
  )
}

const deciders = alias(people, 'deciders')
const proposers = alias(people, 'proposers')
const approvers = alias(people, 'approvers')

export const selectActions = (db: Db) =>
  db
    .select({
      action: actions,
      actor: people.name,
      file: filePayloads,
      decider: deciders.name,
      proposer: proposers.name,
      approver: approvers.name,
    })
    .from(actions)
    .innerJoin(people, eq(people.id, actions.actorId))
    .leftJoin(filePayloads, eq(filePayloads.id, actions.payloadId))
    .leftJoin(deciders, sql`${deciders.id} = (${actions.decision} ->> 'by')::uuid`)
    .leftJoin(proposers, sql`${proposers.id} = (${actions.proposal} ->> 'by')::uuid`)
    .leftJoin(approvers, sql`${approvers.id} = (${actions.approval} ->> 'by')::uuid`)

export async function findAction(
  id: string,
  readerId: string,
): Promise<{ action: Action; view: ActionView } | null> {
  const db = await getDatabase()
  const [row] = await selectActions(db).where(eq(actions.id, id))
  if (!row) return null
  const [actionView] = await toActionViews(db, [row], readerId)
  return actionView ? { action: row.action, view: actionView } : null
}

/** Newest first. */
export async function listActionsOnTarget(
  environment: Environment,
  target: string,
  readerId: string,
): Promise<ActionView[]> {
  const db = await getDatabase()
  const rows = await selectActions(db)
    .where(and(eq(actions.environment, environment), eq(actions.target, target)))
    .orderBy(desc(actions.createdAt))
    .limit(50)
  return toActionViews(db, rows, readerId)
}

/**
 * A pending creation has no target yet, so it is found by operation, person and account. An
 * `accountId` of null is the platform itself. Newest first.
 */
export async function listOwnPendingCreations(
  environment: Environment,
  operation: ServiceOperationId,
  accountId: string | null,
  ownerId: string,
): Promise<ActionView[]> {
  const db = await getDatabase()
  const rows = await selectActions(db)
    .where(
      and(
        eq(actions.environment, environment),
        eq(actions.operation, operation),
        eq(actions.actorId, ownerId),
        isNull(actions.target),
        accountId === null ? isNull(actions.accountId) : eq(actions.accountId, accountId),
        inArray(actions.state, [...openActionStates]),
      ),
    )
    .orderBy(desc(actions.createdAt))
    .limit(20)
  return toActionViews(db, rows, ownerId)
}
