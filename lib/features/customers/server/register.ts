import 'server-only'
import { missing } from '@/lib/domain/loadable'
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
  readLoadable,
  refuseUnticked,
  registerOperation,
  requireTicked,
  statusIn,
  targetId,
} from '@/lib/server/http/registration'
import { asNotSent, readService } from '@/lib/server/service/service-read'

/** What a decision on a customer has to be ticked for, be it one by name or a change of the state. Throws what a read throws. */
async function customerDecisionWarnings(newAction: NewAction, decision: CustomerDecision): Promise<Warning[]> {
  const review =
    decision === 'verified'
      ? await readLoadable('customers.review', { id: targetId(newAction) }, newAction.scope)
      : missing('It is not read.')
  return customerWarnings(decision, review)
}

/** The same, for the decision itself. */
const customerReviewWarnings: FindWarnings = (newAction) =>
  customerDecisionWarnings(newAction, statusIn(newAction) === 'rejected' ? 'rejected' : 'verified')

/**
 * Keeps a change of a customer from being a decision by another name: the service lets an update set the state, and takes no reason for it. It needs the
 * right to decide and the ticks of the decision. Throws `forbidden`, `invalid_input` naming a tick that is missing, `not_sent` for a customer that was read
 * in part only, because the update replaces the whole, and what a read throws; nothing is recorded then.
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
