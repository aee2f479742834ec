import 'server-only'
import { AppError } from '@/lib/errors'
import { serviceOperation } from '@/lib/operations/service-operations'
import type { AlsoWrite, NewAction } from '@/lib/server/actions/action-log'
import { concernedBy, requireApprover, whyNotApprove } from '@/lib/server/approvals/approvers'
import { movedBy } from '@/lib/server/approvals/facts'
import { proofMinutes, ruleOf } from '@/lib/server/approvals/policy'
import { subjectOf } from '@/lib/server/approvals/subject'
import type { NeededProof } from '@/lib/server/auth/step-up/challenges'
import { snapshotOf } from '@/lib/server/service/service-read'
import type { AppliedRule } from '@/lib/server/store/schema/actions'
import { type Db, database } from '@/lib/server/store/store'
import { type Compared, look } from './compare'

/** The rule that requires approval by a second person, or null. `looked` is the object that the approver will see. */
type Approval = { rule: AppliedRule | null; looked: Compared | null }

const needsNobody = ({ control, second }: AppliedRule) => control === 'approve' && second.length === 0

/** Returns the rule that requires approval by a second person, or null. Throws `blocked_by_policy` if a rule blocks the write. */
async function approvalRule(db: Db, newAction: NewAction, read: unknown): Promise<AppliedRule | null> {
  const rule = await ruleOf(db, newAction, read)
  if (rule?.control === 'block') {
    const { verbPhrase } = serviceOperation(newAction.operation)
    throw new AppError(
      'blocked_by_policy',
      `The approval policy (version ${rule.version}) does not let anyone ${verbPhrase} here. Nothing was sent`,
    )
  }
  return rule && !needsNobody(rule) ? rule : null
}

/** Returns the approval rule and the object. Reads the object if the request has no snapshot hash and a rule could apply. */
async function approvalOf(newAction: NewAction, compared: Compared | null, askedBy: string): Promise<Approval> {
  const db = await database()
  if (compared) return { rule: await approvalRule(db, newAction, compared.data), looked: compared }
  // Without the object, every condition on it counts as true. If no rule applies even then, the object is not needed.
  const strictest = await ruleOf(db, newAction, null)
  if (!strictest || needsNobody(strictest)) return { rule: null, looked: null }
  const currentObject = await look(newAction).catch((error: unknown) => {
    // The object may be missing because another person already carried out the request. Recording detects that.
    if (askedBy !== newAction.actor.id && error instanceof AppError && error.code === 'service_not_found') return null
    throw error
  })
  return { rule: await approvalRule(db, newAction, currentObject?.data ?? null), looked: currentObject }
}

/**
 * Returns the new action to record; `rule` is set if it must wait for approval. `askedBy` is the requester. If another person carries out
 * the request, that person is the approver and must be allowed to approve. Throws `forbidden` and `no_approver`; nothing is recorded then.
 */
export async function withApproval(newAction: NewAction, compared: Compared | null, askedBy: string): Promise<NewAction> {
  const { rule, looked } = await approvalOf(newAction, compared, askedBy)
  const seenObject = looked?.data ?? null
  const moves = movedBy(newAction, seenObject)
  const comparedAction = { ...newAction, seen: seenObject, comparedAt: looked?.at ?? null, moved: typeof moves === 'number' ? moves : null }
  if (!rule) return comparedAction
  const db = await database()
  const affectedTargets = concernedBy(newAction.target, seenObject)
  if (askedBy === newAction.actor.id) {
    await requireApprover(db, newAction, rule, affectedTargets)
    return { ...comparedAction, rule, snapshotHash: newAction.snapshotHash ?? (seenObject ? snapshotOf(seenObject) : null) }
  }
  const { environment, accountId } = newAction.scope
  const why = await whyNotApprove(db, { environment, accountId, actorId: askedBy, rule, concerned: affectedTargets }, newAction.actor)
  if (why) throw new AppError('forbidden', why)
  return comparedAction
}

/** Thrown if a write needs approval only because of other money that the person moved after the policy was first checked. */
export class MovedMeanwhile extends AppError {
  constructor() {
    super('changed', 'You moved other money at the same time, and together it needs a second person. Nothing was sent: try again')
  }
}

/**
 * Checks the policy again in the recording transaction, where all the person's other money moves are committed. Throws `MovedMeanwhile`.
 */
export const requireStillAlone =
  (newAction: NewAction): AlsoWrite =>
  async (tx) => {
    if (newAction.moved && (await approvalRule(tx, newAction, newAction.seen))) throw new MovedMeanwhile()
  }

export const combineWrites =
  (one: AlsoWrite, other: AlsoWrite | null): AlsoWrite =>
  async (tx, action) => {
    await one(tx, action)
    await other?.(tx, action)
  }

/**
 * Returns the step-up proof that a write needs. It must be for this request if a second person must approve, or if the operation always
 * requires that. Otherwise, a recent proof is enough.
 */
export async function neededProof(newAction: NewAction): Promise<NeededProof> {
  const { operation, rule, seen, actor, scope } = newAction
  const db = await database()
  const alone = serviceOperation(operation).stepUp === 'recent' && !rule
  return { minutes: alone ? await proofMinutes(db, actor.id) : 0, ...(await subjectOf(db, scope.environment, newAction, seen)) }
}
