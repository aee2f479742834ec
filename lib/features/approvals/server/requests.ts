import 'server-only'
import { AppError } from '@/lib/errors'
import { toMinorUnits } from '@/lib/money'
import type { ActionView } from '@/lib/operations/answer'
import type { ApprovalDetail, ApprovalRequest } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import type { Action } from '@/lib/server/actions/action-log'
import { compareFields, flattenFields } from '@/lib/server/actions/compare-fields'
import { toBodyAad } from '@/lib/server/actions/erase'
import { secretFieldPattern } from '@/lib/server/actions/run'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { findAction } from '@/lib/server/actions/views'
import { listRequestViews } from '@/lib/server/actions/waiting-views'
import { listConcernedTargets, whyNotApprove } from '@/lib/server/approvals/approvers'
import { readAmount } from '@/lib/server/approvals/facts'
import { findStepUpSubject } from '@/lib/server/approvals/subject'
import { getGrantedAccounts, getRolesIn, requireScope } from '@/lib/server/auth/scoped-account'
import { currentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { ChallengeSubject } from '@/lib/server/auth/step-up/challenges'
import { readCurrentTarget } from '@/lib/server/http/compare'
import { decrypt } from '@/lib/server/store/encryption'
import { database } from '@/lib/server/store/store'

type FoundRequest = { action: Action; view: ActionView }

const notWaitingText = 'This request is no longer waiting for approval.'

/** Returns the stored body of an action that waits; empty after the action was sent or ended. */
const decryptBody = ({ id, body }: Action): Buffer => (body ? decrypt(body, toBodyAad(id)) : Buffer.alloc(0))

async function toApprovalRequest({ action, view }: FoundRequest, actor: Actor): Promise<ApprovalRequest> {
  const { environment, accountId, actorId, rule } = action
  if (!rule) throw new AppError('not_found', 'There is no such request')
  const snapshot = decryptSeenObject(action)
  const isWaiting = action.state === 'awaiting_approval'
  const affectedTargets = listConcernedTargets(action.target, snapshot)
  const why = isWaiting
    ? await whyNotApprove(await database(), { environment, accountId, actorId, rule, concerned: affectedTargets }, actor)
    : notWaitingText
  const amount = readAmount({ operation: view.operation, body: decryptBody(action) }, snapshot)
  return {
    action: view,
    amount: typeof amount === 'number' ? amount : toMinorUnits(null),
    second: rule.second,
    policy_version: rule.version,
    disabled_reason: why,
  }
}

/** Returns the requests of an environment that a person may see: the waiting ones, soonest to expire first, or the newest decided ones. */
export async function listApprovalRequests(
  actor: Actor,
  environment: Environment,
  which: 'waiting' | 'answered',
): Promise<ApprovalRequest[]> {
  const found = await listRequestViews(environment, getGrantedAccounts(actor.grants, environment), actor.id, which)
  return Promise.all(found.map((each) => toApprovalRequest(each, actor)))
}

/** Returns the requests in the account of a server-rendered page. */
export async function loadApprovalRequests(context: PageContext, which: 'waiting' | 'answered'): Promise<ApprovalRequest[]> {
  const actor = await currentActor()
  if (!actor) return []
  const requests = await listApprovalRequests(actor, context.environment, which)
  return context.account ? requests.filter(({ action }) => action.account === context.account) : requests
}

/** Returns a request of the environment, if the person has a role in its account. Otherwise throws `not_found`. */
export async function findVisibleRequest(
  id: string,
  { actor, environment }: { actor: Actor; environment: Environment },
): Promise<FoundRequest> {
  const found = await findAction(id, actor.id)
  const isTheirs = found?.action.rule && found.action.environment === environment
  if (isTheirs && getRolesIn(actor.grants, environment, found.action.accountId).length > 0) return found
  throw new AppError('not_found', 'There is no such request')
}

/** Returns the fields of the payload to send, with secret values masked. */
function toSentFields(action: Action): { name: string; value: string }[] {
  const body = decryptBody(action)
  if (body.length === 0) return []
  return flattenFields(JSON.parse(body.toString('utf8'))).flatMap(([name, value]) => {
    if (value === null) return []
    return [{ name, value: secretFieldPattern.test(name.split('.').at(-1) ?? '') ? '•••' : value }]
  })
}

/**
 * Returns one request, with the fields of its object as the requester saw them and as they are now. If the object cannot be read now,
 * `unread` contains the error.
 */
export async function readApprovalDetail(found: FoundRequest, actor: Actor): Promise<ApprovalDetail> {
  const { action } = found
  const request = await toApprovalRequest(found, actor)
  const snapshot = decryptSeenObject(action)
  const baseDetail = { ...request, sent: toSentFields(action) }
  if (!snapshot) return { ...baseDetail, fields: null, unread: null }
  if (action.state !== 'awaiting_approval') return { ...baseDetail, fields: compareFields(snapshot, undefined), unread: null }
  try {
    const now = await readCurrentTarget(action.target, requireScope(actor, action.environment, action.accountId))
    return { ...baseDetail, fields: compareFields(snapshot, now), unread: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...baseDetail, fields: compareFields(snapshot, undefined), unread: error.message }
  }
}

/** Returns the text that names what an approval confirms, for the step-up dialog. */
export async function readApprovalSubject({ action }: FoundRequest): Promise<ChallengeSubject> {
  const operation = action.operation as ServiceOperationId
  const namedSubject = await findStepUpSubject(
    await database(),
    action.environment,
    { operation, body: decryptBody(action) },
    decryptSeenObject(action),
  )
  return { ...namedSubject, operation: `approve a request to ${serviceOperation(operation).verbPhrase}` }
}

/** Returns one request for a page; null if it does not exist or the person may not see it. */
export async function loadRequestPage(context: PageContext, id: string): Promise<ApprovalDetail | null> {
  const actor = await currentActor()
  if (!actor) return null
  try {
    return await readApprovalDetail(await findVisibleRequest(id, { actor, environment: context.environment }), actor)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
