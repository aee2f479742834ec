import { isKnownStatus, statusWords } from './status'

/** What a person can do to a customer. `deactivate` and `reactivate` are updates of the status alone. */
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
  verify: 'verified by hand',
  reject: 'rejected by hand',
  refresh_review: 'verified anew',
  edit: 'edited',
  deactivate: 'switched off',
  reactivate: 'switched on again',
}

/** Why an action cannot be done on a customer now, as a sentence; null when it can. An unknown state explains itself rather than guessing. */
export function whyNotCustomer(action: CustomerAction, { status }: { status: string }): string | null {
  const states = customerStartsFrom[action]
  if (states.includes(status)) return null
  if (!isKnownStatus('customer', status)) {
    return `The service reports “${status}”, a state Paydesk does not know, so it does not offer this.`
  }
  const from = states.map((state) => statusWords('customer', state).label.toLowerCase()).join(' or ')
  return `The customer is ${statusWords('customer', status).label.toLowerCase()}: only one that is ${from} can be ${verbs[action]}.`
}
