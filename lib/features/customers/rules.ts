import { getStatusWords, isKnownStatus, whyUnknownState } from '@/lib/domain/status'

/** `deactivate` and `reactivate` are updates that change only the status. */
export type CustomerAction =
  | 'verify'
  | 'reject'
  | 'refresh_review'
  | 'edit'
  | 'deactivate'
  | 'reactivate'

/**
 * The customer statuses in which each action is allowed (provider facts 1.1 and 3.2). An edit does
 * not change the status.
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

/** Returns a sentence that quotes an unknown status, or null if the action is possible. */
export function whyNotCustomerAction(
  action: CustomerAction,
  { status }: { status: string },
): string | null {
  const allowedStatuses = allowedCustomerStatuses[action]
  if (allowedStatuses.includes(status)) return null
  if (!isKnownStatus('customer', status)) {
    return whyUnknownState(status)
  }
  const allowedStatusText = allowedStatuses
    .map((state) => getStatusWords('customer', state).label.toLowerCase())
    .join(' or ')
  return `The customer is ${getStatusWords('customer', status).label.toLowerCase()}: only one that is ${allowedStatusText} can be ${actionVerbs[action]}.`
}

/**
 * A change between `verified` and `inactive` is no decision (provider facts 3.2). Every other
 * change of the status needs the permission to decide. Otherwise, a reactivation could verify a
 * customer who was not verified before.
 */
export const isStatusDecision = (from: string, to: unknown): boolean =>
  from !== to && ![from, to].every((state) => state === 'verified' || state === 'inactive')
