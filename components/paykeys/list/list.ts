import { type ListSpec, pickFields } from '@/components/kits/list/spec'
import type { PaymentSum } from '@/lib/features/paykeys/related'
import { paykeySourceLabels } from '@/lib/features/paykeys/status-texts'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'

/** Ids of the tabs whose table has a column that shows if the paykey can be unblocked. */
export const tabsWithUnblockColumn: readonly string[] = ['blocked', 'all']

/** The list of paykeys. Its first tab is the review queue, oldest first. */
export const paykeyList: ListSpec<'paykeys.list'> = {
  resource: 'paykeys',
  operation: 'paykeys.list',
  title: 'Paykeys',
  one: 'paykey',
  many: 'paykeys',
  tabs: [
    {
      id: 'review',
      label: 'Review',
      query: { status: 'review' },
      empty: 'No paykey is awaiting a decision.',
      queue: true,
      waits: 'review',
      order: 'asc',
    },
    {
      id: 'blocked',
      label: 'Blocked',
      query: { status: 'blocked' },
      empty: 'No paykey is blocked after a return.',
    },
    {
      id: 'unblockable',
      label: 'Eligible to unblock',
      query: { unblock_eligible: 'true' },
      empty: 'No blocked paykey is eligible to unblock.',
      queue: true,
      waits: 'blocked',
      order: 'asc',
    },
    {
      id: 'active',
      label: 'Active',
      query: { status: 'active' },
      empty: 'No paykey is active yet.',
    },
    {
      id: 'pending',
      label: 'Pending',
      query: { status: 'pending' },
      empty: 'No paykey is being verified now.',
    },
    {
      id: 'other',
      label: 'Other',
      query: { status: 'rejected,inactive' },
      empty: 'No paykey was rejected or canceled.',
    },
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No paykeys yet.',
    },
  ],
  search: { name: 'search_text', placeholder: 'Bank, last four, ext. ID' },
  filters: {
    source: { label: 'Connected by', kind: 'choice', choices: paykeySourceLabels },
    unblock_eligible: { label: 'Eligible to unblock', kind: 'yesno' },
    created_from: { label: 'Created from', kind: 'since' },
    created_to: { label: 'Created to', kind: 'until' },
    customer_id: { label: 'Customer', kind: 'link' },
  },
  periods: {
    created: { label: 'Created', from: 'created_from', to: 'created_to', kind: 'instant' },
  },
  sorts: ['created_at', 'expires_at', 'institution_name'],
  order: 'desc',
  columns: {
    bank: { label: 'Bank account' },
    why: { label: 'Status and reason' },
    waiting: { label: 'Pending payments' },
    eligible: { label: 'Unblock', tabs: tabsWithUnblockColumn },
    expires: { label: 'Expires', tabs: ['active'] },
    account: { label: 'Account' },
  },
}

/**
 * The number and the sums of the payments that wait for a paykey. `atLeast`: some could not be
 * read, so there may be more.
 */
export type WaitingPaymentSum = PaymentSum & { atLeast: boolean }

/**
 * Functions for values that the service's list of paykeys does not contain. They resolve to null if
 * the value could not be read.
 */
type PaykeyRowValueLoaders = {
  nameOf: (customerId: string | undefined) => Promise<string | null>
  waitingOn: (paykeyId: string) => Promise<WaitingPaymentSum | null>
}

const rowFields = [
  ...([
    'id',
    'label',
    'source',
    'status',
    'status_details',
    'institution_name',
    'bank_data',
  ] as const),
  ...(['unblock_eligible', 'expires_at', 'created_at', 'updated_at'] as const),
] as const satisfies readonly (keyof PaykeySummary)[]

/**
 * A paykey in a list. `customer` (its name) and `waiting` resolve after the row renders. `account`
 * is `acct_…`, or null if unknown.
 */
export type PaykeyRow = Pick<PaykeySummary, (typeof rowFields)[number]> & {
  customer: Promise<string | null>
  waiting: Promise<WaitingPaymentSum | null>
  account: string | null
}

export const toPaykeyRow = (
  paykey: PaykeySummary,
  account: string | null,
  lookups: PaykeyRowValueLoaders,
): PaykeyRow => ({
  ...pickFields(paykey, rowFields),
  customer: lookups.nameOf(paykey.customer_id),
  waiting: lookups.waitingOn(paykey.id),
  account,
})
