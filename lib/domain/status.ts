import type {
  accountStatuses,
  capabilityRequestStatuses,
  customerStatuses,
  linkedBankAccountStatuses,
  paykeyStatuses,
} from '@/lib/operations/enumerations'
import { paymentStatuses } from '@/lib/operations/enumerations'

/** What a status means at a glance; each tone has a shape and a colour on the screen, never a colour alone. */
export type Tone = 'neutral' | 'moving' | 'held' | 'review' | 'good' | 'bad'

/** A status in words: a short label, a tone, and a sentence. */
export type StatusWords = { label: string; tone: Tone; meaning: string }

/** Words for each known state, so that a new one without words does not compile. */
type Table<S extends readonly string[]> = Readonly<Record<S[number], StatusWords>>

/** The payment states that are known (provider facts 2.1), in the order a payout passes them. */
export const paymentStates = paymentStatuses

const payment: Table<typeof paymentStatuses> = {
  created: { label: 'Created', tone: 'neutral', meaning: 'Accepted; the service checks it next.' },
  validating: { label: 'Validating', tone: 'neutral', meaning: 'The service is checking it.' },
  on_hold: { label: 'On hold', tone: 'held', meaning: 'Stopped until somebody releases or cancels it.' },
  scheduled: { label: 'Scheduled', tone: 'neutral', meaning: 'Checked; goes to the bank network on its payment date.' },
  pending: { label: 'Pending', tone: 'moving', meaning: 'With the bank network; it cannot be stopped any more.' },
  paid: { label: 'Paid', tone: 'good', meaning: 'The money arrived.' },
  failed: { label: 'Failed', tone: 'bad', meaning: 'It did not go through.' },
  reversed: { label: 'Reversed', tone: 'bad', meaning: 'It was paid and then returned.' },
  cancelled: { label: 'Cancelled', tone: 'neutral', meaning: 'Stopped for good before it was sent.' },
}

const paykey: Table<typeof paykeyStatuses> = {
  pending: { label: 'Pending', tone: 'moving', meaning: 'The bank account is being verified.' },
  active: { label: 'Active', tone: 'good', meaning: 'The bank account may be used.' },
  review: { label: 'In review', tone: 'review', meaning: 'A person decides whether the bank account may be used.' },
  blocked: { label: 'Blocked', tone: 'bad', meaning: 'A return blocked the bank account.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'The bank account was refused.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Switched off for good.' },
}

const customer: Table<typeof customerStatuses> = {
  pending: { label: 'Pending', tone: 'moving', meaning: 'Identity checks are running.' },
  verified: { label: 'Verified', tone: 'good', meaning: 'Identity checks passed.' },
  review: { label: 'In review', tone: 'review', meaning: 'A person decides the identity checks.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Identity checks failed.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Switched off.' },
}

const account: Table<typeof accountStatuses> = {
  created: { label: 'Created', tone: 'neutral', meaning: 'Not handed to verification yet; it cannot move money.' },
  onboarding: { label: 'Onboarding', tone: 'moving', meaning: 'The service is verifying the business.' },
  active: { label: 'Active', tone: 'good', meaning: 'Verified; it may move money.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Verification failed.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Switched off.' },
}

const representative: Table<typeof accountStatuses> = {
  created: { label: 'Created', tone: 'neutral', meaning: 'Verified together with the account, once that is handed over.' },
  onboarding: { label: 'Onboarding', tone: 'moving', meaning: 'The service is verifying the person.' },
  active: { label: 'Active', tone: 'good', meaning: 'Verified.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Verification failed.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Speaks for the account no longer.' },
}

const linkedBankAccount: Table<typeof linkedBankAccountStatuses> = {
  created: { label: 'Created', tone: 'neutral', meaning: 'Verified together with the account, once that is handed over.' },
  onboarding: { label: 'Onboarding', tone: 'moving', meaning: 'The service is verifying the bank account.' },
  active: { label: 'Active', tone: 'good', meaning: 'Verified; money is settled with it.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Verification failed.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Switched off.' },
  canceled: { label: 'Canceled', tone: 'neutral', meaning: 'Taken back before it was verified.' },
}

const capabilityRequest: Table<typeof capabilityRequestStatuses> = {
  in_review: { label: 'In review', tone: 'review', meaning: 'Waits for the compliance of the service.' },
  reviewing: { label: 'Reviewing', tone: 'review', meaning: 'The compliance of the service is looking at it.' },
  approved: { label: 'Approved', tone: 'moving', meaning: 'Granted, and not in force yet.' },
  active: { label: 'Active', tone: 'good', meaning: 'Granted and in force.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Switched off, as was asked.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Not granted.' },
}

// A funding event has the states of a payment; only some of them mean the same.
const fundingEvent: Table<typeof paymentStatuses> = {
  ...payment,
  created: { label: 'Created', tone: 'neutral', meaning: 'Collected; waits to be sent.' },
  on_hold: { label: 'On hold', tone: 'held', meaning: 'The service stopped it.' },
  scheduled: { label: 'Scheduled', tone: 'neutral', meaning: 'Goes to the bank network on its transfer date.' },
  paid: { label: 'Paid', tone: 'good', meaning: 'Settled with the linked bank account.' },
  failed: { label: 'Failed', tone: 'bad', meaning: 'It did not go through; the funding of the account may be stopped.' },
  cancelled: { label: 'Cancelled', tone: 'neutral', meaning: 'Stopped for good before it was sent.' },
}

const tables = {
  payment,
  paykey,
  customer,
  account,
  representative,
  linked_bank_account: linkedBankAccount,
  capability_request: capabilityRequest,
  funding_event: fundingEvent,
} satisfies Record<string, Readonly<Record<string, StatusWords>>>

/** What has a status of its own. */
export type StatusKind = keyof typeof tables

/** Whether the meaning of a status is known; the enumerations are open, so any word may come. */
export function isKnownStatus(kind: StatusKind, status: string): boolean {
  return Object.hasOwn(tables[kind], status)
}

/** The words for a status. An unknown one is neutral and keeps the raw text, so that nothing is guessed (provider facts 2.1). */
export function statusWords(kind: StatusKind, status: string): StatusWords {
  const table: Readonly<Record<string, StatusWords>> = tables[kind]
  const known = isKnownStatus(kind, status) ? table[status] : undefined
  return known ?? { label: status, tone: 'neutral', meaning: 'Paydesk does not know this state; it is shown as the service wrote it.' }
}
