import { isKnownStatus, statusWords, whyUnknownState } from '@/lib/domain/status'

/** `deactivate` and `reactivate` are updates that change only the status. */
export type CustomerAction =
  | 'verify'
  | 'reject'
  | 'refresh_review'
  | 'edit'
  | 'deactivate'
  | 'reactivate'

/** Provider facts 1.1 and 3.2. An edit does not change the status. */
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
 * Only changes between `verified` and `inactive` are no decisions (provider facts 3.2). All others
 * need the permission to decide, so a reactivation verifies no other customer.
 */
export const isStatusDecision = (from: string, to: unknown): boolean =>
  from !== to && ![from, to].every((state) => state === 'verified' || state === 'inactive')
