import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import { parseWarning } from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import type { Action, NewAction } from '@/lib/server/actions/action-log'
import { toBodyAad } from '@/lib/server/actions/erase'
import { whyNotApprove } from '@/lib/server/approvals/approvers'
import { approveRequest, endRequest } from '@/lib/server/approvals/end-request'
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
import { runAfterWrite, runRecordedAction } from './write'

/** Returns the requester with their current grants, or null if the person is disabled. */
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

/** Error codes that end a request as void, because the same request would always fail. */
const voidingCodes = new Set([
  'changed',
  'invalid_input',
  'bad_request',
  'forbidden',
  'blocked_by_policy',
  'not_found',
  'service_not_found',
])

/**
 * Runs a check. If it throws an error with a code in `voidingCodes`, ends the request as void and
 * throws `not_approved`. Rethrows all other errors.
 */
async function voidIfInvalid<T>(action: Action, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof AppError) || !voidingCodes.has(error.code)) throw error
    await endRequest(action.id, 'void', null, error.message.replace(/ ?Nothing was sent.*$/, ''))
    throw new AppError('not_approved', `The request is void: ${error.message}`, { cause: error })
  }
}

/**
 * Returns the requested action with the requester's current permissions. Throws `forbidden` if the
 * requester may no longer run it.
 */
async function rebuildRequest(action: Action): Promise<NewAction> {
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

/** Throws `blocked_by_policy` if the policy now blocks the write. */
async function requireNotBlocked(asked: NewAction, targetObject: unknown): Promise<void> {
  const rule = await findApprovalRule(await getDatabase(), asked, targetObject)
  if (rule?.control === 'block')
    throw new AppError('blocked_by_policy', 'The approval policy blocks this now.')
}

const createRecordChangedError = () =>
  new AppError('changed', 'The record is no longer what the requester saw.')

/**
 * Approves a request and sends it. First checks again the permissions of both people, the object,
 * the policy and the feature's precondition. Throws `forbidden` if the approver may not approve. If
 * a check shows that the request can no longer succeed, ends the request as void and throws
 * `not_approved` with the reason. Throws `changed` if the request no longer waits for approval. If
 * a read fails or the rate limit has no room, throws that error, and the request continues to wait.
 */
export async function approveAction(action: Action, approver: Actor): Promise<Response> {
  const db = await getDatabase()
  const approvalCriteria = toApprovalCriteria(action)
  const why = await whyNotApprove(db, approvalCriteria, approver)
  if (why) throw new AppError('forbidden', why)
  const newAction = await voidIfInvalid(action, () => rebuildRequest(action))
  const hooks = requireHooks(newAction.operation)
  const { complete, beside } = await voidIfInvalid(action, async () => {
    const compared = await compareSnapshot(newAction)
    if (compared instanceof Response) throw createRecordChangedError()
    await requireNotBlocked(newAction, compared?.data ?? null)
    const hookResult = (await hooks.before?.(newAction, compared?.data ?? null)) ?? null
    if (hookResult instanceof Response) throw createRecordChangedError()
    return { complete: { ...newAction, comparedAt: compared?.at ?? null }, beside: hookResult }
  })
  const rateRefusal = await admitCall(newAction.scope.environment, newAction.scope.caller)
  if (rateRefusal) throw createLimitError(rateRefusal.fault, rateRefusal.seconds)
  const approvedAction = await approveRequest(complete, approver, beside?.alsoWrite ?? null)
  const response = await runRecordedAction(approvedAction, approver)
  await runAfterWrite(hooks, complete)
  return response
}
