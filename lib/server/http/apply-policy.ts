import 'server-only'
import { AppError } from '@/lib/errors'
import { getServiceOperation } from '@/lib/operations/service-operations'
import type { ExtraRowsWriter, NewAction } from '@/lib/server/actions/action-log'
import {
  listConcernedTargets,
  requireApprover,
  whyNotApprove,
} from '@/lib/server/approvals/approvers'
import { readMovedAmount } from '@/lib/server/approvals/facts'
import { findApprovalRule, readProofMinutes } from '@/lib/server/approvals/policy'
import { findStepUpSubject } from '@/lib/server/approvals/subject'
import type { ProofRequirement } from '@/lib/server/auth/step-up/require-proof'
import { hashSnapshot } from '@/lib/server/service/service-read'
import type { AppliedRule } from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { type ComparedTarget, readComparedTarget } from './compare'

/** `looked` is the object of the write, which the approver will see. */
type NeededApproval = { rule: AppliedRule | null; looked: ComparedTarget | null }

const needsNoApprover = ({ control, second }: AppliedRule) =>
  control === 'approve' && second.length === 0

/** Throws `blocked_by_policy` if a rule blocks the write. */
async function findSecondPersonRule(
  db: Db,
  newAction: NewAction,
  targetObject: unknown,
): Promise<AppliedRule | null> {
  const rule = await findApprovalRule(db, newAction, targetObject)
  if (rule?.control === 'block') {
    const { verbPhrase } = getServiceOperation(newAction.operation)
    throw new AppError(
      'blocked_by_policy',
      `The approval policy (version ${rule.version}) does not let anyone ${verbPhrase} here. Nothing was sent`,
    )
  }
  return rule && !needsNoApprover(rule) ? rule : null
}

/** Reads the object if the caller did not compare it and a rule could apply. */
async function findNeededApproval(
  newAction: NewAction,
  compared: ComparedTarget | null,
  requesterId: string,
): Promise<NeededApproval> {
  const db = await getDatabase()
  if (compared)
    return { rule: await findSecondPersonRule(db, newAction, compared.data), looked: compared }
  // Without the object, every condition on it counts as true. If no rule applies even then, the
  // object is not needed.
  const strictestRule = await findApprovalRule(db, newAction, null)
  if (!strictestRule || needsNoApprover(strictestRule)) return { rule: null, looked: null }
  const currentObject = await readComparedTarget(newAction).catch((error: unknown) => {
    // The object may be missing because another person already carried out the request. The later
    // recording of the action detects that.
    if (
      requesterId !== newAction.actor.id &&
      error instanceof AppError &&
      error.code === 'service_not_found'
    )
      return null
    throw error
  })
  return {
    rule: await findSecondPersonRule(db, newAction, currentObject?.data ?? null),
    looked: currentObject,
  }
}

/**
 * `rule` is set if the action must wait for approval. If `requesterId` is not the actor, the actor
 * approves another person's request and must be allowed to. Throws `forbidden` and `no_approver`,
 * before anything is recorded.
 */
export async function attachApprovalRule(
  newAction: NewAction,
  comparedTarget: ComparedTarget | null,
  requesterId: string,
): Promise<NewAction> {
  const { rule, looked } = await findNeededApproval(newAction, comparedTarget, requesterId)
  const seenObject = looked?.data ?? null
  const movedAmount = readMovedAmount(newAction, seenObject)
  const actionWithSeenObject = {
    ...newAction,
    seen: seenObject,
    comparedAt: looked?.at ?? null,
    moved: typeof movedAmount === 'number' ? movedAmount : null,
  }
  if (!rule) return actionWithSeenObject
  const db = await getDatabase()
  const concernedTargets = listConcernedTargets(newAction.target, seenObject)
  // With two approvers, the person who carries out another person's request is not one of them.
  if (requesterId === newAction.actor.id || rule.approvers === 2) {
    await requireApprover(db, newAction, rule, concernedTargets)
    return {
      ...actionWithSeenObject,
      rule,
      snapshotHash: newAction.snapshotHash ?? (seenObject ? hashSnapshot(seenObject) : null),
    }
  }
  const { environment, accountId } = newAction.scope
  const refusalReason = await whyNotApprove(
    db,
    {
      environment,
      accountId,
      actorId: requesterId,
      rule,
      concerned: concernedTargets,
      firstApprover: null,
    },
    newAction.actor,
  )
  if (refusalReason) throw new AppError('forbidden', refusalReason)
  return actionWithSeenObject
}

/** A write needs approval only because of money that the person moved after the first check. */
export class ConcurrentMoneyMoveError extends AppError {
  constructor() {
    super(
      'changed',
      'You moved other money at the same time, and together it needs a second person. Nothing was sent: try again',
    )
  }
}

/**
 * Checks the policy again in the transaction that records the action: there, all other money moves
 * of the person are committed. Throws `ConcurrentMoneyMoveError` if the write now needs approval.
 */
export const createPolicyRecheck =
  (newAction: NewAction): ExtraRowsWriter =>
  async (tx) => {
    if (newAction.moved && (await findSecondPersonRule(tx, newAction, newAction.seen)))
      throw new ConcurrentMoneyMoveError()
  }

export const combineRowWriters =
  (one: ExtraRowsWriter, other: ExtraRowsWriter | null): ExtraRowsWriter =>
  async (tx, action) => {
    await one(tx, action)
    await other?.(tx, action)
  }

/**
 * A recent proof is enough, unless a second person must approve the write or the operation always
 * requires a proof for this request.
 */
export async function getProofRequirement(newAction: NewAction): Promise<ProofRequirement> {
  const { operation, rule, seen, actor, scope } = newAction
  const db = await getDatabase()
  const mayUseRecentProof = getServiceOperation(operation).stepUp === 'recent' && !rule
  return {
    minutes: mayUseRecentProof ? await readProofMinutes(db, actor.id) : 0,
    ...(await findStepUpSubject(db, scope.environment, newAction, seen)),
  }
}
