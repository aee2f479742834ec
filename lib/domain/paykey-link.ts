import { isKnownStatus, statusWords } from './status'

const closed: Readonly<Record<string, string>> = {
  rejected: 'The customer was rejected: no bank account can be connected.',
  inactive: 'The customer is switched off: no bank account can be connected.',
}

/** Why no bank account can be connected for a customer in a state, as a sentence; null where it can (provider facts 1.2). */
export function whyNotConnect(status: string): string | null {
  if (!isKnownStatus('customer', status))
    return `The service reports “${status}”, a state Paydesk does not know, so it does not offer this.`
  return Object.hasOwn(closed, status) ? (closed[status] ?? null) : null
}

/** What follows for a paykey that was just made, by its state: a success of the connection says only that there is one. */
export type Follows = { title: string; text: string; next: 'pay' | 'decide' | 'wait' | 'again' | 'look' }

const follows: Readonly<Record<string, Follows>> = {
  active: { title: 'Connected: it can be used now', text: 'Charges and payouts can be made on it.', next: 'pay' },
  review: {
    title: 'Connected, and in review',
    text: 'Payments can be made on it and are held until a reviewer has decided.',
    next: 'decide',
  },
  pending: {
    title: 'Connected, and being verified',
    text: 'Payments wait until that is done; this page looks every two seconds.',
    next: 'wait',
  },
  rejected: { title: 'Not accepted', text: 'The verification refused this bank account. Connect another one.', next: 'again' },
}

/** What a state means right after connecting (interface document, "Bank connection": read `data.status`). An unknown one is told as it is. */
export function followsFrom(status: string): Follows {
  const words = statusWords('paykey', status)
  const known = Object.hasOwn(follows, status) ? follows[status] : undefined
  return known ?? { title: `Connected, and ${words.label.toLowerCase()}`, text: words.meaning, next: 'look' }
}
