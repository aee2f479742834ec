import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { whyUnreadable } from '@/lib/domain/unreadable-rules'
import type { Warning } from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import { type CustomerDecision, listCustomerWarnings } from '@/lib/features/customers/decisions'
import { isStatusDecision } from '@/lib/features/customers/rules'
import { serviceOperation } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import {
  createWarningsPrecondition,
  type FindWarnings,
  getTargetId,
  readBodyStatus,
  readForDecision,
  registerOperation,
  requireConfirmedWarnings,
} from '@/lib/server/http/registration'
import { readService, throwNotSent } from '@/lib/server/service/service-read'

/** Returns the warnings to confirm for a decision on a customer, by `customers.decide` or a change of the status. Throws read errors. */
async function findDecisionWarnings(newAction: NewAction, decision: CustomerDecision): Promise<Warning[]> {
  const review =
    decision === 'verified'
      ? await readForDecision('customers.review', { id: getTargetId(newAction) }, newAction.scope)
      : { error: 'It is not read.' }
  return listCustomerWarnings(decision, review)
}

/** Returns the warnings to confirm for `customers.decide`. */
const customerReviewWarnings: FindWarnings = (newAction) =>
  findDecisionWarnings(newAction, readBodyStatus(newAction) === 'rejected' ? 'rejected' : 'verified')

/**
 * Refuses an update that counts as a decision, unless the person may decide and has confirmed the warnings of the decision. The service
 * lets an update set the status without a reason. Throws `forbidden`, `invalid_input` that names a missing confirmation, `not_sent` if the
 * customer was read only in part (the update replaces the whole object), and read errors. Nothing is recorded then.
 */
async function refuseDecisionByUpdate(newAction: NewAction): Promise<null> {
  const status = readBodyStatus(newAction)
  const { data } = await readService('customers.get', { id: getTargetId(newAction) }, newAction.scope).catch(throwNotSent('The customer'))
  const whyUnread = whyUnreadable('customers.update', data)
  if (whyUnread) throw new AppError('not_sent', `${whyUnread} Nothing was sent`)
  if (!isStatusDecision(data.status, status)) return null
  const whyForbidden = whyNotAllowed(newAction.scope.roles, serviceOperation('customers.decide'))
  if (whyForbidden)
    throw new AppError('forbidden', `${whyForbidden} A change of the status from ${data.status} to ${String(status)} is a decision.`)
  if (status === 'verified' || status === 'rejected') requireConfirmedWarnings(newAction, await findDecisionWarnings(newAction, status))
  return null
}

registerOperation('customers.update', { before: refuseDecisionByUpdate })
registerOperation('customers.decide', { before: createWarningsPrecondition(customerReviewWarnings) })
