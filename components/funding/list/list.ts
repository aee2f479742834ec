import { type ListSpec, pickFields } from '@/components/kits/list/spec'
import { fundingTypeLabels } from '@/lib/features/funding/labels'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'
import { accountPagePath, type LinkScope } from '@/lib/routes'

/**
 * The path of the form that simulates funding, which only the sandbox has. `account` preselects the
 * account.
 */
export const simulateFundingPath = (linkScope: LinkScope, account: string | null) =>
  accountPagePath(linkScope, '/funding-events/simulate', { account })

export const fundingList: ListSpec<'funding_events.list'> = {
  resource: 'funding_events',
  operation: 'funding_events.list',
  title: 'Funding events',
  one: 'funding event',
  many: 'funding events',
  tabs: [
    {
      id: 'all',
      label: 'All',
      query: {},
      empty:
        'No funding events yet. The service creates one once charges settle or payouts are sent.',
    },
    {
      id: 'moving',
      label: 'Not yet paid',
      query: { status: 'created,scheduled,pending' },
      empty: 'No transfer is waiting or on its way.',
    },
    { id: 'paid', label: 'Paid', query: { status: 'paid' }, empty: 'No transfer has settled yet.' },
    {
      id: 'trouble',
      label: 'Failed or stopped',
      query: { status: 'failed,reversed,on_hold,cancelled' },
      empty: 'No transfer failed, was returned or was stopped.',
    },
    {
      id: 'deposits',
      label: 'Deposits',
      query: { direction: 'deposit' },
      empty: 'No deposit to a linked bank account yet.',
    },
    {
      id: 'withdrawals',
      label: 'Withdrawals',
      query: { direction: 'withdrawal' },
      empty: 'No withdrawal from a linked bank account yet.',
    },
  ],
  search: { name: 'search_text', placeholder: 'ID or trace number' },
  filters: {
    event_type: { label: 'Purpose', kind: 'choice', choices: fundingTypeLabels },
    created_from: { label: 'Created from', kind: 'date' },
    created_to: { label: 'Created to', kind: 'date' },
    trace_number: { label: 'Trace number', kind: 'text' },
    trace_id: { label: 'Trace ID', kind: 'text' },
    status_reason: { label: 'Reason given', kind: 'text' },
    status_source: { label: 'Source', kind: 'text' },
  },
  periods: { created: { label: 'Created', from: 'created_from', to: 'created_to', kind: 'day' } },
  sorts: ['transfer_date', 'amount'],
  order: 'desc',
  columns: {
    amount: { label: 'Amount' },
    count: { label: 'Payments' },
    state: { label: 'Status' },
    account: { label: 'Account' },
  },
}

const rowFields = [
  ...(['id', 'amount', 'direction', 'event_type', 'payment_count', 'transfer_date'] as const),
  ...(['trace_number', 'trace_numbers', 'status', 'status_details'] as const),
] as const satisfies readonly (keyof FundingEventSummary)[]

/** `account` is `acct_…`, or null if unknown. */
export type FundingRow = Pick<FundingEventSummary, (typeof rowFields)[number]> & {
  account: string | null
}

export const toFundingRow = (event: FundingEventSummary, account: string | null): FundingRow => ({
  ...pickFields(event, rowFields),
  account,
})
