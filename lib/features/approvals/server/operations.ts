import 'server-only'
import { AppError } from '@/lib/errors'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import type { Action } from '@/lib/server/actions/action-log'
import { findAction } from '@/lib/server/actions/views'
import { whyNotApprove } from '@/lib/server/approvals/approvers'
import { endApprovalRequest } from '@/lib/server/approvals/end-request'
import { answerQuestion, askQuestion } from '@/lib/server/approvals/questions'
import { toApprovalCriteria } from '@/lib/server/approvals/request'
import type { Actor } from '@/lib/server/auth/session-rows'
import { approveAction } from '@/lib/server/http/approve'
import { auditRefusals } from '@/lib/server/http/authorize'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { respond } from '@/lib/server/http/respond'
import { getDatabase } from '@/lib/server/store/store'
import { findApprovalNeed } from './approval-need'
import {
  findVisibleApprovalRequest,
  listApprovalRequests,
  readApprovalDetail,
  readApprovalSubject,
} from './requests'

/**
 * The audit log records a refused decision under the operation of the request, such as
 * `payouts.release`.
 */
const decideWithAudit = <T>(actor: Actor, action: Action, decide: () => Promise<T>): Promise<T> =>
  auditRefusals(
    actor,
    { ...action, operation: action.operation as ServiceOperationId, account: action.accountId },
    decide,
  )

/** Throws `forbidden`, and audits it, if the person may not approve the action. */
const requireApprover = (actor: Actor, action: Action): Promise<void> =>
  decideWithAudit(actor, action, async () => {
    const whyForbidden = await whyNotApprove(await getDatabase(), toApprovalCriteria(action), actor)
    if (whyForbidden) throw new AppError('forbidden', whyForbidden)
  })

async function respondWithAction(id: string, actor: Actor, requestId: string): Promise<Response> {
  const foundAction = await findAction(id, actor.id)
  return respond(200, {
    response_type: 'object',
    meta: { request_id: requestId },
    ...(foundAction ? { action: foundAction.view } : {}),
  })
}

export const approvalHandlers: DeskOperationHandlers<
  | 'approvals.list'
  | 'approvals.needed'
  | 'approvals.read'
  | 'approvals.approve'
  | 'approvals.reject'
  | 'approvals.ask'
  | 'approvals.answer'
  | 'approvals.withdraw'
> = {
  'approvals.list': async ({ actor, environment, input }) => ({
    data: await listApprovalRequests(actor, environment, input.which),
  }),
  'approvals.needed': async ({ actor, environment, account, input }) => ({
    data: await findApprovalNeed(actor, environment, account, input),
  }),
  'approvals.read': async (call) => ({
    data: await readApprovalDetail(
      await findVisibleApprovalRequest(call.input.id, call),
      call.actor,
    ),
  }),
  'approvals.approve': {
    subject: async (call) =>
      readApprovalSubject(await findVisibleApprovalRequest(call.input.id, call)),
    run: async (call) => {
      const { action } = await findVisibleApprovalRequest(call.input.id, call)
      call.about({ account: action.accountId, target: action.target })
      const response = await decideWithAudit(call.actor, action, () =>
        approveAction(action, call.actor),
      )
      return response ?? respondWithAction(action.id, call.actor, call.requestId)
    },
  },
  'approvals.reject': async (call) => {
    const { actor, input, requestId } = call
    const { action } = await findVisibleApprovalRequest(input.id, call)
    call.about({ account: action.accountId, target: action.target })
    await requireApprover(actor, action)
    await endApprovalRequest(action.id, 'rejected', actor, input.reason)
    return respondWithAction(action.id, actor, requestId)
  },
  'approvals.ask': async (call) => {
    const { actor, input, requestId } = call
    const { action } = await findVisibleApprovalRequest(input.id, call)
    call.about({ account: action.accountId, target: action.target })
    await requireApprover(actor, action)
    await askQuestion(action.id, actor, input.question)
    return respondWithAction(action.id, actor, requestId)
  },
  'approvals.answer': async (call) => {
    const { actor, input, requestId } = call
    const { action } = await findVisibleApprovalRequest(input.id, call)
    call.about({ account: action.accountId, target: action.target })
    if (action.actorId !== actor.id)
      throw new AppError('forbidden', 'Only the person who requested this can answer.')
    await answerQuestion(action.id, actor, input.answer)
    return respondWithAction(action.id, actor, requestId)
  },
  'approvals.withdraw': async (call) => {
    const { actor, input, requestId } = call
    const { action } = await findVisibleApprovalRequest(input.id, call)
    call.about({ account: action.accountId, target: action.target })
    if (action.actorId !== actor.id)
      throw new AppError('forbidden', 'Only the person who requested this can withdraw it.')
    await endApprovalRequest(action.id, 'withdrawn', actor, null)
    return respondWithAction(action.id, actor, requestId)
  },
}
