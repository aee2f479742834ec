import type { ListSpec } from '@/components/kits/list/spec'
import { statusWords, type Tone } from '@/lib/domain/status'
import { directionText, fundingTypeChoices, fundingTypeText } from '@/lib/features/funding/labels'
import { flowSign } from '@/lib/features/funding/sum'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'
import type { PageContext } from '@/lib/operations/page-context'
import { ownPath, type Place } from '@/lib/routes'

/** Path of the funding simulation (sandbox only). `account` preselects the account. */
export const simulateFundingPath = (place: Place, account: string | null) => ownPath(place, '/funding-events/simulate', { account })

/** The list of funding events, latest transfer first. */
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
      empty: 'No funding events yet. The service creates one once charges settle or payouts are sent.',
    },
    { id: 'moving', label: 'In transit', query: { status: 'created,scheduled,pending' }, empty: 'No transfer is in transit.' },
    { id: 'paid', label: 'Paid', query: { status: 'paid' }, empty: 'No transfer has settled yet.' },
    {
      id: 'trouble',
      label: 'Not settled',
      query: { status: 'failed,reversed,on_hold,cancelled' },
      empty: 'No transfer failed, was returned or was stopped.',
    },
    { id: 'deposits', label: 'Deposits', query: { direction: 'deposit' }, empty: 'No deposit to a linked bank account yet.' },
    {
      id: 'withdrawals',
      label: 'Withdrawals',
      query: { direction: 'withdrawal' },
      empty: 'No withdrawal from a linked bank account yet.',
    },
  ],
  search: { name: 'search_text', placeholder: 'ID or trace number' },
  filters: {
    event_type: { label: 'Purpose', kind: 'choice', choices: fundingTypeChoices },
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

/** A list row. Built on the server, so that the label tables are not shipped to the browser. */
export type FundingRow = {
  id: string
  amount: string
  /** Multiplier that signs the amount as seen from the linked bank account. */
  sign: 1 | -1
  direction: string
  type: string
  count: number | undefined
  transfer_date: string | undefined
  trace: string | undefined
  status: string
  tone: Tone
  /** The service's code and message; empty if its reason is `ok`. */
  why: string
  /** `acct_…`, or null if unknown. */
  account: string | null
}

export function rowOf(item: FundingEventSummary, account: string | null, { amountUnit }: Pick<PageContext, 'amountUnit'>): FundingRow {
  const { label, tone } = statusWords('funding_event', item.status)
  const { reason, message, code } = item.status_details ?? {}
  return {
    id: item.id,
    amount: item.amount,
    sign: flowSign(item, amountUnit),
    direction: directionText(item.direction),
    type: fundingTypeText(item.event_type),
    count: item.payment_count,
    transfer_date: item.transfer_date,
    trace: item.trace_number ?? item.trace_numbers[0],
    status: label,
    tone,
    why: reason === 'ok' ? '' : [code, message ?? reason].filter(Boolean).join(' · '),
    account,
  }
}
