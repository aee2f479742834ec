import { isKnownStatus, statusWords, whyUnknownState } from '@/lib/domain/status'

/** Actions on a customer. `deactivate` and `reactivate` are updates of the status alone. */
export type CustomerAction = 'verify' | 'reject' | 'refresh_review' | 'edit' | 'deactivate' | 'reactivate'

/** The states each action may start from (provider facts 1.1 and 3.2); an edit keeps the state it finds. */
export const customerStartsFrom: Record<CustomerAction, readonly string[]> = {
  verify: ['review'],
  reject: ['review'],
  refresh_review: ['review', 'verified', 'rejected'],
  edit: ['pending', 'review', 'verified', 'rejected', 'inactive'],
  deactivate: ['pending', 'review', 'verified', 'rejected'],
  reactivate: ['inactive'],
}

const verbs: Record<CustomerAction, string> = {
  verify: 'manually verified',
  reject: 'manually rejected',
  refresh_review: 're-verified',
  edit: 'edited',
  deactivate: 'deactivated',
  reactivate: 'reactivated',
}

/** Returns why an action on a customer is not possible now, as a sentence; null if it is. An unknown state has its own sentence. */
export function whyNotCustomer(action: CustomerAction, { status }: { status: string }): string | null {
  const states = customerStartsFrom[action]
  if (states.includes(status)) return null
  if (!isKnownStatus('customer', status)) {
    return whyUnknownState(status)
  }
  const from = states.map((state) => statusWords('customer', state).label.toLowerCase()).join(' or ')
  return `The customer is ${statusWords('customer', status).label.toLowerCase()}: only one that is ${from} can be ${verbs[action]}.`
}

/**
 * True if a change of the state amounts to a decision (provider facts 3.2). A verified customer may be switched off and on again. Without
 * the right to decide, only verified customers can be switched off, so switching on verifies no other customer.
 */
export const isDecidedBy = (from: string, to: unknown): boolean =>
  from !== to && ![from, to].every((state) => state === 'verified' || state === 'inactive')
