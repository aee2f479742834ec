import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import type { Warning } from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import { type CustomerDecision, listCustomerWarnings } from '@/lib/features/customers/decisions'
import { isStatusDecision } from '@/lib/features/customers/rules'
import { getServiceOperation } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import {
  createWarningsPrecondition,
  type FindWarnings,
  getTargetId,
  readForDecision,
  readRequestedStatus,
  registerOperation,
  requireConfirmedWarnings,
} from '@/lib/server/http/registration'
import { createNotSentHandler, readService } from '@/lib/server/service/service-read'

/**
 * Returns the warnings to confirm for a decision by `customers.decide`, or by an update of the
 * status.
 */
async function findDecisionWarnings(
  newAction: NewAction,
  decision: CustomerDecision,
): Promise<Warning[]> {
  const customerReview =
    decision === 'verified'
      ? await readForDecision('customers.review', { id: getTargetId(newAction) }, newAction.scope)
      : { error: 'It is not read.' }
  return listCustomerWarnings(decision, customerReview)
}

const findCustomerReviewWarnings: FindWarnings = (newAction) =>
  findDecisionWarnings(
    newAction,
    readRequestedStatus(newAction) === 'rejected' ? 'rejected' : 'verified',
  )

/**
 * An update of the status can be a decision, which the service would accept without a reason.
 * Throws `forbidden`, `invalid_input` if a confirmation is missing, and `not_sent` if the customer
 * could not be read completely, because the update replaces the whole object. No action is recorded
 * if it throws.
 */
async function refuseDecisionByUpdate(newAction: NewAction): Promise<null> {
  const requestedStatus = readRequestedStatus(newAction)
  const { data } = await readService(
    'customers.get',
    { id: getTargetId(newAction) },
    newAction.scope,
  ).catch(createNotSentHandler('The customer'))
  const whyUnreadable = whyFieldsUnreadable('customers.update', data)
  if (whyUnreadable) throw new AppError('not_sent', `${whyUnreadable} Nothing was sent`)
  if (!isStatusDecision(data.status, requestedStatus)) return null
  const whyForbidden = whyNotAllowed(newAction.scope.roles, getServiceOperation('customers.decide'))
  if (whyForbidden)
    throw new AppError(
      'forbidden',
      `${whyForbidden} A change of the status from ${data.status} to ${String(requestedStatus)} is a decision.`,
    )
  if (requestedStatus === 'verified' || requestedStatus === 'rejected')
    requireConfirmedWarnings(newAction, await findDecisionWarnings(newAction, requestedStatus))
  return null
}

registerOperation('customers.update', { before: refuseDecisionByUpdate })
registerOperation('customers.decide', {
  before: createWarningsPrecondition(findCustomerReviewWarnings),
})
