import 'server-only'
import { whyNotAllowed } from '@/lib/domain/permissions'
import { whyUnreadable } from '@/lib/domain/unreadable-rules'
import type { Warning } from '@/lib/domain/warnings'
import { AppError } from '@/lib/errors'
import { type CustomerDecision, customerWarnings } from '@/lib/features/customers/decisions'
import { isDecidedBy } from '@/lib/features/customers/rules'
import { serviceOperation } from '@/lib/operations/service-operations'
import type { NewAction } from '@/lib/server/actions/action-log'
import {
  type FindWarnings,
  readBeside,
  refuseUnticked,
  registerOperation,
  requireTicked,
  statusIn,
  targetId,
} from '@/lib/server/http/registration'
import { asNotSent, readService } from '@/lib/server/service/service-read'

/** Returns the warnings to tick for a decision on a customer, made by its operation or by a change of the state. Throws read errors. */
async function customerDecisionWarnings(newAction: NewAction, decision: CustomerDecision): Promise<Warning[]> {
  const review =
    decision === 'verified'
      ? await readBeside('customers.review', { id: targetId(newAction) }, newAction.scope)
      : { error: 'It is not read.' }
  return customerWarnings(decision, review)
}

/** Returns the warnings of the decision operation. */
const customerReviewWarnings: FindWarnings = (newAction) =>
  customerDecisionWarnings(newAction, statusIn(newAction) === 'rejected' ? 'rejected' : 'verified')

/**
 * Refuses an update that amounts to a decision: the service lets an update set the state, and takes no reason for it. Such an update needs
 * the right to decide and the ticks of the decision. Throws `forbidden`, `invalid_input` naming a missing tick, `not_sent` for a customer
 * that was read in part only (the update replaces the whole object), and read errors; nothing is recorded then.
 */
async function refuseDecisionByUpdate(newAction: NewAction): Promise<null> {
  const status = statusIn(newAction)
  const { data } = await readService('customers.get', { id: targetId(newAction) }, newAction.scope).catch(asNotSent('The customer'))
  const unread = whyUnreadable('customers.update', data)
  if (unread) throw new AppError('not_sent', `${unread} Nothing was sent`)
  if (!isDecidedBy(data.status, status)) return null
  const why = whyNotAllowed(newAction.scope.roles, serviceOperation('customers.decide'))
  if (why) throw new AppError('forbidden', `${why} A change of the status from ${data.status} to ${String(status)} is a decision.`)
  if (status === 'verified' || status === 'rejected') requireTicked(newAction, await customerDecisionWarnings(newAction, status))
  return null
}

registerOperation('customers.update', { before: refuseDecisionByUpdate })
registerOperation('customers.decide', { before: refuseUnticked(customerReviewWarnings) })
