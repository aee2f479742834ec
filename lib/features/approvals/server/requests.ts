import 'server-only'
import { AppError } from '@/lib/errors'
import { minorUnits } from '@/lib/money'
import type { ActionView } from '@/lib/operations/answer'
import type { ApprovalDetail, ApprovalRequest } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { type ServiceOperationId, serviceOperation } from '@/lib/operations/service-operations'
import type { Action } from '@/lib/server/actions/action-log'
import { comparedFields, leavesOf } from '@/lib/server/actions/compared'
import { bodyPlace } from '@/lib/server/actions/erase'
import { secretFields } from '@/lib/server/actions/run'
import { seenIn } from '@/lib/server/actions/seen'
import { findAction } from '@/lib/server/actions/views'
import { requestViews } from '@/lib/server/actions/waiting-views'
import { concernedBy, whyNotApprove } from '@/lib/server/approvals/approvers'
import { amountOf } from '@/lib/server/approvals/facts'
import { subjectOf } from '@/lib/server/approvals/subject'
import { accountsGranted, rolesIn, scopeOf } from '@/lib/server/auth/scoped-account'
import { currentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { Named } from '@/lib/server/auth/step-up/challenges'
import { readNow } from '@/lib/server/http/compare'
import { decrypt } from '@/lib/server/store/encryption'
import { database } from '@/lib/server/store/store'

type Found = { action: Action; view: ActionView }

const answered = 'This request is no longer waiting for approval.'

/** Returns the stored body of an action that waits; empty after the action was sent or ended. */
const bodyOf = ({ id, body }: Action): Buffer => (body ? decrypt(body, bodyPlace(id)) : Buffer.alloc(0))

async function requestIn({ action, view }: Found, actor: Actor): Promise<ApprovalRequest> {
  const { environment, accountId, actorId, rule } = action
  if (!rule) throw new AppError('not_found', 'There is no such request')
  const snapshot = seenIn(action)
  const waits = action.state === 'awaiting_approval'
  const affectedTargets = concernedBy(action.target, snapshot)
  const why = waits
    ? await whyNotApprove(await database(), { environment, accountId, actorId, rule, concerned: affectedTargets }, actor)
    : answered
  const amount = amountOf({ operation: view.operation, body: bodyOf(action) }, snapshot)
  return {
    action: view,
    amount: typeof amount === 'number' ? amount : minorUnits(null),
    second: rule.second,
    policy_version: rule.version,
    disabled_reason: why,
  }
}

/** Returns the requests of an environment that a person may see: the waiting ones, soonest to expire first, or the newest decided ones. */
export async function requestsFor(actor: Actor, environment: Environment, which: 'waiting' | 'answered'): Promise<ApprovalRequest[]> {
  const found = await requestViews(environment, accountsGranted(actor.grants, environment), actor.id, which)
  return Promise.all(found.map((each) => requestIn(each, actor)))
}

/** Returns the requests in the account of a server-rendered page. */
export async function requestsOn(context: PageContext, which: 'waiting' | 'answered'): Promise<ApprovalRequest[]> {
  const actor = await currentActor()
  if (!actor) return []
  const all = await requestsFor(actor, context.environment, which)
  return context.account ? all.filter(({ action }) => action.account === context.account) : all
}

/** Returns a request of the environment, if the person has a role in its account. Otherwise throws `not_found`. */
export async function visibleRequest(id: string, { actor, environment }: { actor: Actor; environment: Environment }): Promise<Found> {
  const found = await findAction(id, actor.id)
  const isTheirs = found?.action.rule && found.action.environment === environment
  if (isTheirs && rolesIn(actor.grants, environment, found.action.accountId).length > 0) return found
  throw new AppError('not_found', 'There is no such request')
}

/** Returns the fields of the payload to send, with secret values masked. */
function sentOf(action: Action): { name: string; value: string }[] {
  const body = bodyOf(action)
  if (body.length === 0) return []
  return leavesOf(JSON.parse(body.toString('utf8'))).flatMap(([name, value]) => {
    if (value === null) return []
    return [{ name, value: secretFields.test(name.split('.').at(-1) ?? '') ? '•••' : value }]
  })
}

/**
 * Returns one request, with the fields of its object as the requester saw them and as they are now. If the object cannot be read now,
 * `unread` contains the error.
 */
export async function detailOf(found: Found, actor: Actor): Promise<ApprovalDetail> {
  const { action } = found
  const request = await requestIn(found, actor)
  const snapshot = seenIn(action)
  const baseDetail = { ...request, sent: sentOf(action) }
  if (!snapshot) return { ...baseDetail, fields: null, unread: null }
  if (action.state !== 'awaiting_approval') return { ...baseDetail, fields: comparedFields(snapshot, undefined), unread: null }
  try {
    const now = await readNow(action.target, scopeOf(actor, action.environment, action.accountId))
    return { ...baseDetail, fields: comparedFields(snapshot, now), unread: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...baseDetail, fields: comparedFields(snapshot, undefined), unread: error.message }
  }
}

/** Returns the text that names what an approval confirms, for the step-up dialog. */
export async function subjectOfRequest({ action }: Found): Promise<Named> {
  const operation = action.operation as ServiceOperationId
  const named = await subjectOf(await database(), action.environment, { operation, body: bodyOf(action) }, seenIn(action))
  return { ...named, operation: `approve a request to ${serviceOperation(operation).verbPhrase}` }
}

/** Returns one request for a page; null if it does not exist or the person may not see it. */
export async function requestPage(context: PageContext, id: string): Promise<ApprovalDetail | null> {
  const actor = await currentActor()
  if (!actor) return null
  try {
    return await detailOf(await visibleRequest(id, { actor, environment: context.environment }), actor)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
