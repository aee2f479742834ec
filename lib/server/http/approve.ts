import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { parseWarning } from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import type { Action, NewAction } from '@/lib/server/actions/action-log'
import { ignoreAddedDocuments } from '@/lib/server/actions/compare-fields'
import { toBodyAad } from '@/lib/server/actions/erase'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { whyNotApprove } from '@/lib/server/approvals/approvers'
import {
  approveRequest,
  endApprovalRequest,
  recordFirstApproval,
} from '@/lib/server/approvals/end-request'
import { findApprovalRule } from '@/lib/server/approvals/policy'
import { toApprovalCriteria } from '@/lib/server/approvals/request'
import { listGrants } from '@/lib/server/auth/people'
import { requireRole, requireScope } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { createLimitError } from '@/lib/server/service/answer'
import { admitCall } from '@/lib/server/service/rate-limit'
import { decrypt } from '@/lib/server/store/encryption'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'
import { compareSnapshot } from './compare'
import { requireHooks } from './registration'
import { runAfterWriteHook, runRecordedAction } from './write'

/** Returns the person who requested the action, with their current grants; null if disabled. */
async function readRequester(action: Action): Promise<Actor | null> {
  const db = await getDatabase()
  const [person] = await db
    .select({ id: people.id, name: people.name, email: people.email })
    .from(people)
    .where(and(eq(people.id, action.actorId), isNull(people.disabledAt)))
  return person
    ? { ...person, sessionHash: action.sessionHash, grants: await listGrants(db, person.id) }
    : null
}

/** These errors end a request as void, because the same request would always fail. */
const voidingErrorCodes = new Set([
  'changed',
  'invalid_input',
  'bad_request',
  'forbidden',
  'blocked_by_policy',
  'not_found',
  'service_not_found',
])

/** An error with a code in `voidingErrorCodes` ends the request as void: throws `not_approved`. */
async function voidIfInvalid<T>(action: Action, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof AppError) || !voidingErrorCodes.has(error.code)) throw error
    await endApprovalRequest(
      action.id,
      'void',
      null,
      error.message.replace(/ ?Nothing was sent.*$/, ''),
    )
    throw new AppError('not_approved', `The request is void: ${error.message}`, { cause: error })
  }
}

/** Uses the requester's current permissions. Throws `forbidden` if they no longer suffice. */
async function rebuildNewAction(action: Action): Promise<NewAction> {
  const operation = action.operation as ServiceOperationId
  const actor = await readRequester(action)
  const forbiddenText = `The requester may no longer ${getServiceOperation(operation).verbPhrase}.`
  if (!actor) throw new AppError('forbidden', forbiddenText)
  const scope = requireScope(actor, action.environment, action.accountId, 'write')
  requireRole(scope, operation)
  return {
    id: action.id,
    operation,
    scope,
    actor,
    target: action.target,
    key: action.idempotencyKey,
    correlationId: action.correlationId,
    fingerprint: action.fingerprint,
    method: action.method,
    path: action.path,
    contentType: action.contentType,
    body: decrypt(action.body ?? Buffer.alloc(0), toBodyAad(action.id)),
    bodySha256: action.bodySha256,
    proof: null,
    reason: action.reason,
    warnings: (action.warnings ?? []).flatMap(({ code }) => parseWarning(code) ?? []),
    snapshotHash: action.snapshotHash,
    comparedAt: null,
    seen: null,
    moved: action.moved,
    rule: action.rule,
    stepUp: null,
  }
}

async function requireNotBlockedByPolicy(asked: NewAction, targetObject: unknown): Promise<void> {
  const rule = await findApprovalRule(await getDatabase(), asked, targetObject)
  if (rule?.control === 'block')
    throw new AppError('blocked_by_policy', 'The approval policy blocks this now.')
}

const createRecordChangedError = () =>
  new AppError('changed', 'The record is no longer what the requester saw.')

/**
 * Checks again the permissions of both people, the object, the policy and the feature's
 * precondition, then sends the request. If it can no longer succeed, ends it as void and throws
 * `not_approved` with the reason. Throws `forbidden` if the approver may not approve, and `changed`
 * if the request no longer waits. After a failed read or a full rate limit, the request continues
 * to wait. Returns null after the first of two approvals: nothing was sent.
 */
export async function approveAction(action: Action, approver: Actor): Promise<Response | null> {
  const db = await getDatabase()
  const approvalCriteria = toApprovalCriteria(action)
  const refusalReason = await whyNotApprove(db, approvalCriteria, approver)
  if (refusalReason) throw new AppError('forbidden', refusalReason)
  const newAction = await voidIfInvalid(action, () => rebuildNewAction(action))
  const hooks = requireHooks(newAction.operation)
  const { complete, beside } = await voidIfInvalid(action, async () => {
    const seenObject = decryptSeenObject(action)
    const comparedTarget = await compareSnapshot(newAction, (current) =>
      ignoreAddedDocuments(seenObject, current),
    )
    if (comparedTarget instanceof Response) throw createRecordChangedError()
    await requireNotBlockedByPolicy(newAction, comparedTarget?.data ?? null)
    const preconditionResult =
      (await hooks.before?.(newAction, comparedTarget?.data ?? null)) ?? null
    if (preconditionResult instanceof Response) throw createRecordChangedError()
    return {
      complete: { ...newAction, comparedAt: comparedTarget?.at ?? null },
      beside: preconditionResult,
    }
  })
  if (action.rule?.approvers === 2 && action.firstApproval === null) {
    await recordFirstApproval(complete, approver)
    return null
  }
  const rateRefusal = await admitCall(newAction.scope.environment, newAction.scope.caller)
  if (rateRefusal) throw createLimitError(rateRefusal.fault, rateRefusal.seconds)
  const approvedAction = await approveRequest(complete, approver, beside?.alsoWrite ?? null)
  const response = await runRecordedAction(approvedAction, approver)
  await runAfterWriteHook(hooks, complete)
  return response
}
