import { isKnownStatus, statusWords, whyUnknownState } from '@/lib/domain/status'

/** Actions on a customer. `deactivate` and `reactivate` are updates that change only the status. */
export type CustomerAction =
  | 'verify'
  | 'reject'
  | 'refresh_review'
  | 'edit'
  | 'deactivate'
  | 'reactivate'

/**
 * The statuses in which each action is allowed (provider facts 1.1 and 3.2). An edit does not
 * change the status.
 */
export const allowedCustomerStatuses: Record<CustomerAction, readonly string[]> = {
  verify: ['review'],
  reject: ['review'],
  refresh_review: ['review', 'verified', 'rejected'],
  edit: ['pending', 'review', 'verified', 'rejected', 'inactive'],
  deactivate: ['pending', 'review', 'verified', 'rejected'],
  reactivate: ['inactive'],
}

const actionVerbs: Record<CustomerAction, string> = {
  verify: 'manually verified',
  reject: 'manually rejected',
  refresh_review: 're-verified',
  edit: 'edited',
  deactivate: 'deactivated',
  reactivate: 'reactivated',
}

/**
 * Returns why an action on a customer is not possible now, as a sentence; null if it is possible.
 * For an unknown status, the sentence quotes the status.
 */
export function whyNotCustomerAction(
  action: CustomerAction,
  { status }: { status: string },
): string | null {
  const states = allowedCustomerStatuses[action]
  if (states.includes(status)) return null
  if (!isKnownStatus('customer', status)) {
    return whyUnknownState(status)
  }
  const allowedLabels = states
    .map((state) => statusWords('customer', state).label.toLowerCase())
    .join(' or ')
  return `The customer is ${statusWords('customer', status).label.toLowerCase()}: only one that is ${allowedLabels} can be ${actionVerbs[action]}.`
}

/**
 * True if a change of the status counts as a decision (provider facts 3.2), which needs its own
 * permission. Only changes between `verified` and `inactive` are no decisions. A person without the
 * permission can therefore deactivate only verified customers, and a reactivation verifies no other
 * customer.
 */
export const isStatusDecision = (from: string, to: unknown): boolean =>
  from !== to && ![from, to].every((state) => state === 'verified' || state === 'inactive')
