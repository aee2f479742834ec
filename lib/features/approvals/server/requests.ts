import 'server-only'
import { AppError } from '@/lib/errors'
import { toMinorUnits } from '@/lib/money'
import type { ActionView } from '@/lib/operations/answer'
import type { ApprovalDetail, ApprovalRequest } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import type { Action } from '@/lib/server/actions/action-log'
import { compareFields, flattenFields } from '@/lib/server/actions/compare-fields'
import { toBodyAad } from '@/lib/server/actions/erase'
import { secretFieldPattern } from '@/lib/server/actions/run'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { findAction } from '@/lib/server/actions/views'
import { listRequestViews } from '@/lib/server/actions/waiting-views'
import { listConcernedTargets, whyNotApprove } from '@/lib/server/approvals/approvers'
import { readPolicyAmount } from '@/lib/server/approvals/facts'
import { findStepUpSubject } from '@/lib/server/approvals/subject'
import { getGrantedAccounts, getRolesIn, requireScope } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { ChallengeSubject } from '@/lib/server/auth/step-up/challenges'
import { readCurrentTarget } from '@/lib/server/http/compare'
import { decrypt } from '@/lib/server/store/encryption'
import { getDatabase } from '@/lib/server/store/store'

type FoundRequest = { action: Action; view: ActionView }

const notWaitingText = 'This request is no longer waiting for approval.'

/**
 * Returns the stored payload of an action that waits for approval. Empty after it was sent or
 * ended: the payload is deleted then.
 */
const decryptBody = ({ id, body }: Action): Buffer =>
  body ? decrypt(body, toBodyAad(id)) : Buffer.alloc(0)

async function toApprovalRequest(
  { action, view }: FoundRequest,
  actor: Actor,
): Promise<ApprovalRequest> {
  const { environment, accountId, actorId, rule } = action
  if (!rule) throw new AppError('not_found', 'There is no such request')
  const snapshot = decryptSeenObject(action)
  const isWaiting = action.state === 'awaiting_approval'
  const affectedTargets = listConcernedTargets(action.target, snapshot)
  const disabledReason = isWaiting
    ? await whyNotApprove(
        await getDatabase(),
        { environment, accountId, actorId, rule, concerned: affectedTargets },
        actor,
      )
    : notWaitingText
  const amount = readPolicyAmount(
    { operation: view.operation, body: decryptBody(action) },
    snapshot,
  )
  return {
    action: view,
    amount: typeof amount === 'number' ? amount : toMinorUnits(null),
    second: rule.second,
    policy_version: rule.version,
    disabled_reason: disabledReason,
  }
}

/**
 * Returns the approval requests that a person may see: the waiting ones, soonest to expire first,
 * or the decided ones, newest first.
 */
export async function listApprovalRequests(
  actor: Actor,
  environment: Environment,
  requestGroup: 'waiting' | 'answered',
): Promise<ApprovalRequest[]> {
  const foundRequests = await listRequestViews(
    environment,
    getGrantedAccounts(actor.grants, environment),
    actor.id,
    requestGroup,
  )
  return Promise.all(foundRequests.map((each) => toApprovalRequest(each, actor)))
}

/**
 * Returns the approval requests in the account that a server-rendered page shows; of all accounts
 * if it shows none.
 */
export async function loadApprovalRequests(
  context: PageContext,
  requestGroup: 'waiting' | 'answered',
): Promise<ApprovalRequest[]> {
  const actor = await getCurrentActor()
  if (!actor) return []
  const requests = await listApprovalRequests(actor, context.environment, requestGroup)
  return context.account
    ? requests.filter(({ action }) => action.account === context.account)
    : requests
}

/**
 * Returns an approval request of the environment. Throws `not_found` if it does not exist or the
 * person has no role in its account.
 */
export async function findVisibleRequest(
  id: string,
  { actor, environment }: { actor: Actor; environment: Environment },
): Promise<FoundRequest> {
  const foundAction = await findAction(id, actor.id)
  const isRequestHere = foundAction?.action.rule && foundAction.action.environment === environment
  if (
    isRequestHere &&
    getRolesIn(actor.grants, environment, foundAction.action.accountId).length > 0
  )
    return foundAction
  throw new AppError('not_found', 'There is no such request')
}

/** Returns the fields of the payload that the action sends, with secret values masked. */
function toSentFields(action: Action): { name: string; value: string }[] {
  const body = decryptBody(action)
  if (body.length === 0) return []
  return flattenFields(JSON.parse(body.toString('utf8'))).flatMap(([name, value]) => {
    if (value === null) return []
    return [{ name, value: secretFieldPattern.test(name.split('.').at(-1) ?? '') ? '•••' : value }]
  })
}

/**
 * Returns one approval request, with the fields of its object as the requester saw them and as they
 * are now. If the object cannot be read now, `unread` contains the error message.
 */
export async function readApprovalDetail(
  foundRequest: FoundRequest,
  actor: Actor,
): Promise<ApprovalDetail> {
  const { action } = foundRequest
  const request = await toApprovalRequest(foundRequest, actor)
  const snapshot = decryptSeenObject(action)
  const baseDetail = { ...request, sent: toSentFields(action) }
  if (!snapshot) return { ...baseDetail, fields: null, unread: null }
  if (action.state !== 'awaiting_approval')
    return { ...baseDetail, fields: compareFields(snapshot, undefined), unread: null }
  try {
    const currentTarget = await readCurrentTarget(
      action.target,
      requireScope(actor, action.environment, action.accountId),
    )
    return { ...baseDetail, fields: compareFields(snapshot, currentTarget), unread: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...baseDetail, fields: compareFields(snapshot, undefined), unread: error.message }
  }
}

/**
 * Returns what the step-up dialog shows before an approval: the amount, the payee, and the
 * operation that is approved.
 */
export async function readApprovalSubject({ action }: FoundRequest): Promise<ChallengeSubject> {
  const operation = action.operation as ServiceOperationId
  const namedSubject = await findStepUpSubject(
    await getDatabase(),
    action.environment,
    { operation, body: decryptBody(action) },
    decryptSeenObject(action),
  )
  return {
    ...namedSubject,
    operation: `approve a request to ${getServiceOperation(operation).verbPhrase}`,
  }
}

/**
 * Returns one approval request for a page; null if it does not exist or the person may not see it.
 */
export async function loadRequestPage(
  context: PageContext,
  id: string,
): Promise<ApprovalDetail | null> {
  const actor = await getCurrentActor()
  if (!actor) return null
  try {
    return await readApprovalDetail(
      await findVisibleRequest(id, { actor, environment: context.environment }),
      actor,
    )
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
