import 'server-only'
import {
  approverCannotDecideText,
  formatRoles,
  whySenderCannotDecide,
} from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { reviewRoles } from '@/lib/operations/define'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import type { Action } from '@/lib/server/actions/action-log'
import { listActionsDecidableByOthers } from '@/lib/server/actions/decide'
import { requireRole, requireScope } from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getDatabase } from '@/lib/server/store/store'
import { auditRefusals } from './authorize'

type RecordedAction = Pick<
  Action,
  'id' | 'environment' | 'operation' | 'accountId' | 'target' | 'actorId' | 'approval'
>

/** Audits the refusal and throws `forbidden` if the person may not run the operation. */
export const authorizeAction = (actor: Actor, action: RecordedAction): Promise<void> => {
  const operation = action.operation as ServiceOperationId
  return auditRefusals(actor, { ...action, operation, account: action.accountId }, () =>
    requireRole(requireScope(actor, action.environment, action.accountId), operation),
  )
}

/**
 * The person who sent or approved the action may not decide its outcome, whatever their role: they
 * could declare a payment failed and pay it again. Audits a refusal and throws `forbidden`.
 */
export const authorizeDecision = (actor: Actor, action: RecordedAction): Promise<void> =>
  auditRefusals(
    actor,
    { ...action, operation: action.operation as ServiceOperationId, account: action.accountId },
    async () => {
      const { roles } = requireScope(actor, action.environment, action.accountId)
      if (!reviewRoles.some((role) => roles.includes(role))) {
        throw new AppError(
          'forbidden',
          `Only ${formatRoles(reviewRoles)} can decide the outcome of an action.`,
        )
      }
      if (action.approval?.by === actor.id)
        throw new AppError('forbidden', approverCannotDecideText)
      if (action.actorId !== actor.id) return
      const decidableIds = await listActionsDecidableByOthers(await getDatabase(), [action.id])
      throw new AppError('forbidden', whySenderCannotDecide(decidableIds.has(action.id)))
    },
  )
