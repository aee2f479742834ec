import type {
  accountStatuses,
  capabilityRequestStatuses,
  customerStatuses,
  linkedBankAccountStatuses,
  paykeyStatuses,
  paymentStatuses,
} from '@/lib/operations/enumerations'

/** Each tone has a shape and a color on the screen, never a color alone. */
export type Tone = 'neutral' | 'moving' | 'held' | 'review' | 'good' | 'bad'

export type StatusWords = { label: string; tone: Tone; meaning: string }

/** Does not compile if a known state has no texts. */
type StatusTable<S extends readonly string[]> = Readonly<Record<S[number], StatusWords>>

const paymentStatusTable: StatusTable<typeof paymentStatuses> = {
  created: { label: 'Created', tone: 'neutral', meaning: 'Accepted; checks are next.' },
  validating: { label: 'Validating', tone: 'neutral', meaning: 'The service is checking it.' },
  on_hold: {
    label: 'On hold',
    tone: 'held',
    meaning: 'Stopped until someone releases or cancels the payment.',
  },
  scheduled: {
    label: 'Scheduled',
    tone: 'neutral',
    meaning: 'Checked; goes to the bank network on its payment date, or the next banking day.',
  },
  pending: {
    label: 'Pending',
    tone: 'moving',
    meaning: 'With the bank network; can no longer be stopped.',
  },
  paid: { label: 'Paid', tone: 'good', meaning: 'The money arrived.' },
  failed: { label: 'Failed', tone: 'bad', meaning: 'The payment did not go through.' },
  reversed: { label: 'Reversed', tone: 'bad', meaning: 'Paid, then returned.' },
  cancelled: {
    label: 'Canceled',
    tone: 'neutral',
    meaning: 'Permanently canceled before it was sent.',
  },
}

const paykeyStatusTable: StatusTable<typeof paykeyStatuses> = {
  pending: { label: 'Pending', tone: 'moving', meaning: 'The bank account is being verified.' },
  active: { label: 'Active', tone: 'good', meaning: 'The paykey can be used for payments.' },
  review: {
    label: 'In review',
    tone: 'review',
    meaning: 'Awaiting approval or rejection by a reviewer.',
  },
  blocked: { label: 'Blocked', tone: 'bad', meaning: 'Blocked after a return.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'The paykey was rejected.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Permanently deactivated.' },
}

const customerStatusTable: StatusTable<typeof customerStatuses> = {
  pending: { label: 'Pending', tone: 'moving', meaning: 'Identity checks are running.' },
  verified: {
    label: 'Verified',
    tone: 'good',
    meaning: 'Verified by identity checks or a reviewer.',
  },
  review: { label: 'In review', tone: 'review', meaning: 'Awaiting the decision of a reviewer.' },
  rejected: {
    label: 'Rejected',
    tone: 'bad',
    meaning: 'Rejected by the identity checks or a reviewer.',
  },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Deactivated.' },
}

const accountStatusTable: StatusTable<typeof accountStatuses> = {
  created: {
    label: 'Created',
    tone: 'neutral',
    meaning: 'Not submitted for verification; cannot move money.',
  },
  onboarding: {
    label: 'Onboarding',
    tone: 'moving',
    meaning: 'The service is verifying the business.',
  },
  active: { label: 'Active', tone: 'good', meaning: 'Verified; can move money.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Verification failed.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Deactivated.' },
}

const representativeStatusTable: StatusTable<typeof accountStatuses> = {
  created: {
    label: 'Created',
    tone: 'neutral',
    meaning: 'The person is verified together with the account, once that account is submitted.',
  },
  onboarding: {
    label: 'Onboarding',
    tone: 'moving',
    meaning: 'The service is verifying the person.',
  },
  active: { label: 'Active', tone: 'good', meaning: 'Verified.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Verification failed.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'No longer a representative.' },
}

const linkedBankAccountStatusTable: StatusTable<typeof linkedBankAccountStatuses> = {
  created: {
    label: 'Created',
    tone: 'neutral',
    meaning:
      'The bank account is verified together with the account it belongs to, once that account is submitted.',
  },
  onboarding: {
    label: 'Onboarding',
    tone: 'moving',
    meaning: 'The service is verifying the bank account.',
  },
  active: {
    label: 'Active',
    tone: 'good',
    meaning: 'Verified; money settles with this bank account.',
  },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Verification failed.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Deactivated.' },
  canceled: { label: 'Canceled', tone: 'neutral', meaning: 'Canceled before verification.' },
}

const capabilityRequestStatusTable: StatusTable<typeof capabilityRequestStatuses> = {
  in_review: {
    label: 'In review',
    tone: 'review',
    meaning: 'Awaiting the provider’s compliance team.',
  },
  reviewing: {
    label: 'In review',
    tone: 'review',
    meaning: 'The provider’s compliance team is reviewing the request.',
  },
  approved: { label: 'Approved', tone: 'moving', meaning: 'Granted, not in force yet.' },
  active: { label: 'Active', tone: 'good', meaning: 'Granted and in force.' },
  inactive: { label: 'Inactive', tone: 'neutral', meaning: 'Deactivated as requested.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'Not granted.' },
}

// A funding event has the states of a payment; some have another meaning.
const fundingEventStatusTable: StatusTable<typeof paymentStatuses> = {
  ...paymentStatusTable,
  created: { label: 'Created', tone: 'neutral', meaning: 'Collected, not sent yet.' },
  on_hold: { label: 'On hold', tone: 'held', meaning: 'The service stopped it.' },
  scheduled: {
    label: 'Scheduled',
    tone: 'neutral',
    meaning: 'Goes to the bank network on its transfer date, or the next banking day.',
  },
  paid: { label: 'Paid', tone: 'good', meaning: 'Settled with the linked bank account.' },
  failed: {
    label: 'Failed',
    tone: 'bad',
    meaning: 'The transfer failed; the funding of the account may be stopped.',
  },
  cancelled: {
    label: 'Canceled',
    tone: 'neutral',
    meaning: 'Permanently canceled before it was sent.',
  },
}

const statusTables = {
  payment: paymentStatusTable,
  paykey: paykeyStatusTable,
  customer: customerStatusTable,
  account: accountStatusTable,
  representative: representativeStatusTable,
  linked_bank_account: linkedBankAccountStatusTable,
  capability_request: capabilityRequestStatusTable,
  funding_event: fundingEventStatusTable,
} satisfies Record<string, Readonly<Record<string, StatusWords>>>

export type StatusKind = keyof typeof statusTables

/** The service can add a new status at any time. */
export function isKnownStatus(kind: StatusKind, status: string): boolean {
  return Object.hasOwn(statusTables[kind], status)
}

export const whyUnknownState = (status: string): string =>
  status === ''
    ? 'The status could not be read, so this action is unavailable.'
    : `The service reports “${status}”, a status Paydesk does not know, so this action is unavailable.`

const missingStatusWords: StatusWords = {
  label: 'Not readable',
  tone: 'neutral',
  meaning: 'The service sent no status that Paydesk can read.',
}

/** An unknown status is neutral and keeps its raw text (provider facts 2.1). */
export function getStatusWords(kind: StatusKind, status: string): StatusWords {
  if (status === '') return missingStatusWords
  const statusTable: Readonly<Record<string, StatusWords>> = statusTables[kind]
  const knownStatusWords = isKnownStatus(kind, status) ? statusTable[status] : undefined
  return (
    knownStatusWords ?? {
      label: status,
      tone: 'neutral',
      meaning: 'Paydesk does not know this status; it is shown as the service sent it.',
    }
  )
}

/** `Active: Verified.`, or only the meaning if it begins with the label. */
export const statusText = ({ label, meaning }: Pick<StatusWords, 'label' | 'meaning'>): string =>
  meaning.startsWith(`${label} `) ? meaning : `${label}: ${meaning}`

type StatusTimes = {
  status_details?: { changed_at?: string | undefined } | undefined
  updated_at?: string | undefined
  created_at?: string | undefined
}

export function getStateStartTime<P extends StatusTimes>({
  status_details: details,
  updated_at,
  created_at,
}: P): P['created_at'] {
  return details?.changed_at ?? updated_at ?? created_at
}
