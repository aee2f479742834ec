import 'server-only'
import { eq } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { toMinorUnits } from '@/lib/money'
import type { ActionView } from '@/lib/operations/answer'
import type { ApprovalDetail, ApprovalQuestion, ApprovalRequest } from '@/lib/operations/approvals'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { getServiceOperation, type ServiceOperationId } from '@/lib/operations/service-operations'
import type { Action } from '@/lib/server/actions/action-log'
import {
  compareFields,
  flattenFields,
  ignoreAddedDocuments,
} from '@/lib/server/actions/compare-fields'
import { toBodyAad } from '@/lib/server/actions/erase'
import { secretFieldPattern } from '@/lib/server/actions/run'
import { decryptSeenObject } from '@/lib/server/actions/seen-objects'
import { findAction } from '@/lib/server/actions/views'
import { listRequestViews } from '@/lib/server/actions/waiting-views'
import { whyNotApprove } from '@/lib/server/approvals/approvers'
import { readPolicyAmount } from '@/lib/server/approvals/facts'
import { listQuestions } from '@/lib/server/approvals/questions'
import { toApprovalCriteria } from '@/lib/server/approvals/request'
import { findStepUpSubject } from '@/lib/server/approvals/subject'
import { getGrantedAccounts, getRolesIn, requireScope } from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { ChallengeSubject } from '@/lib/server/auth/step-up/require-proof'
import { readTargetFromService } from '@/lib/server/http/compare'
import { decrypt } from '@/lib/server/store/encryption'
import { people } from '@/lib/server/store/schema/people'
import { getDatabase } from '@/lib/server/store/store'

type FoundApprovalRequest = { action: Action; view: ActionView }

const notWaitingText = 'This request is no longer waiting for approval.'

/** Empty after the action was sent or ended: its payload is deleted then. */
const decryptBody = ({ id, body }: Action): Buffer =>
  body ? decrypt(body, toBodyAad(id)) : Buffer.alloc(0)

async function toFirstApproval({
  firstApproval,
}: Action): Promise<ApprovalRequest['first_approval']> {
  if (!firstApproval) return null
  const db = await getDatabase()
  const [person] = await db
    .select({ name: people.name })
    .from(people)
    .where(eq(people.id, firstApproval.by))
  return { by: person?.name ?? 'a removed person', at: new Date(firstApproval.at).toISOString() }
}

async function toApprovalRequest(
  { action, view }: FoundApprovalRequest,
  actor: Actor,
  questions: readonly ApprovalQuestion[],
): Promise<ApprovalRequest> {
  const db = await getDatabase()
  const { environment, rule } = action
  if (!rule) throw new AppError('not_found', 'There is no such request')
  const seenObject = decryptSeenObject(action)
  const disabledReason =
    action.state === 'awaiting_approval'
      ? await whyNotApprove(db, toApprovalCriteria(action), actor)
      : notWaitingText
  const write = { operation: view.operation, body: decryptBody(action) }
  const policyAmount = readPolicyAmount(write, seenObject)
  const { payee } = await findStepUpSubject(db, environment, write, seenObject)
  return {
    action: view,
    amount: typeof policyAmount === 'number' ? policyAmount : toMinorUnits(null),
    payee,
    questions,
    approvers_needed: rule.approvers ?? 1,
    first_approval: await toFirstApproval(action),
    second: rule.second,
    policy_version: rule.version,
    disabled_reason: disabledReason,
  }
}

/** Waiting requests: soonest to expire first. Decided requests: newest first. */
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
  const questionsByAction = await listQuestions(
    await getDatabase(),
    foundRequests.map(({ action }) => action.id),
  )
  return Promise.all(
    foundRequests.map((each) =>
      toApprovalRequest(each, actor, questionsByAction.get(each.action.id) ?? []),
    ),
  )
}

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

/** Throws `not_found` also if the person has no role in the account of the request. */
export async function findVisibleApprovalRequest(
  id: string,
  { actor, environment }: { actor: Actor; environment: Environment },
): Promise<FoundApprovalRequest> {
  const foundAction = await findAction(id, actor.id)
  const isRequestInEnvironment =
    foundAction?.action.rule && foundAction.action.environment === environment
  if (
    isRequestInEnvironment &&
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

/** `fields`: as the requester saw them, and now. `unread`: the error if they cannot be read now. */
export async function readApprovalDetail(
  foundRequest: FoundApprovalRequest,
  actor: Actor,
): Promise<ApprovalDetail> {
  const { action } = foundRequest
  const questions = await listQuestions(await getDatabase(), [action.id])
  const request = await toApprovalRequest(foundRequest, actor, questions.get(action.id) ?? [])
  const seenTarget = decryptSeenObject(action)
  const baseDetail = { ...request, sent: toSentFields(action) }
  if (!seenTarget) return { ...baseDetail, fields: null, unread: null }
  if (action.state !== 'awaiting_approval')
    return { ...baseDetail, fields: compareFields(seenTarget, undefined), unread: null }
  try {
    const currentTarget = await readTargetFromService(
      action.target,
      requireScope(actor, action.environment, action.accountId),
    )
    const fields = compareFields(seenTarget, ignoreAddedDocuments(seenTarget, currentTarget))
    return { ...baseDetail, fields, unread: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...baseDetail, fields: compareFields(seenTarget, undefined), unread: error.message }
  }
}

/** Returns the amount and the payee that the step-up dialog shows before an approval. */
export async function readApprovalSubject({
  action,
}: FoundApprovalRequest): Promise<ChallengeSubject> {
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

/** Null also if the person may not see the request. */
export async function loadApprovalRequestPage(
  context: PageContext,
  id: string,
): Promise<ApprovalDetail | null> {
  const actor = await getCurrentActor()
  if (!actor) return null
  try {
    return await readApprovalDetail(
      await findVisibleApprovalRequest(id, { actor, environment: context.environment }),
      actor,
    )
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
