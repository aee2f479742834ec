/** What a status means at a glance; each tone has a shape and a colour on the screen, never a colour alone. */
export type Tone = 'neutral' | 'moving' | 'held' | 'review' | 'good' | 'bad'

/** A status in words: a short label, a tone, and a sentence. */
export type StatusWords = { label: string; tone: Tone; meaning: string }

/** The payment states that are known (provider facts 2.1), in the order a payout passes them. */
export const paymentStates = [
  'created',
  'on_hold',
  'validating',
  'scheduled',
  'pending',
  'paid',
  'failed',
  'reversed',
  'cancelled',
] as const

const payment: Record<string, StatusWords> = {
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

const paykey: Record<string, StatusWords> = {
  pending: { label: 'Pending', tone: 'moving', meaning: 'The bank account is being verified.' },
  active: { label: 'Active', tone: 'good', meaning: 'The bank account may be used.' },
  review: { label: 'In review', tone: 'review', meaning: 'A person decides whether the bank account may be used.' },
  blocked: { label: 'Blocked', tone: 'bad', meaning: 'A return blocked the bank account.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'The bank account was refused.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Switched off for good.' },
}

const customer: Record<string, StatusWords> = {
  pending: { label: 'Pending', tone: 'moving', meaning: 'Identity checks are running.' },
  verified: { label: 'Verified', tone: 'good', meaning: 'Identity checks passed.' },
  review: { label: 'In review', tone: 'review', meaning: 'A person decides the identity checks.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Identity checks failed.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Switched off.' },
}

const tables = { payment, paykey, customer }

/** Whether the meaning of a status is known; the enumerations are open, so any word may come. */
export function isKnownStatus(kind: keyof typeof tables, status: string): boolean {
  return Object.hasOwn(tables[kind], status)
}

/** The words for a status. An unknown one is neutral and keeps the raw text, so that nothing is guessed (provider facts 2.1). */
export function statusWords(kind: keyof typeof tables, status: string): StatusWords {
  const known = isKnownStatus(kind, status) ? tables[kind][status] : undefined
  return known ?? { label: status, tone: 'neutral', meaning: 'Paydesk does not know this state; it is shown as the service wrote it.' }
}
