import type { ListSpec } from '@/components/kits/list/list-spec'
import { fundingTypeChoices } from '@/lib/domain/funding-words'

/** The list of funding events, the latest transfer first. */
export const fundingList: ListSpec<'funding_events.list'> = {
  resource: 'funding_events',
  operation: 'funding_events.list',
  title: 'Funding events',
  one: 'funding event',
  many: 'funding events',
  tabs: [
    { id: 'all', label: 'All', query: {}, empty: 'No funding events yet. One is made once charges have settled or payouts are sent.' },
    { id: 'moving', label: 'On the way', query: { status: 'created,scheduled,pending' }, empty: 'No transfer is on its way now.' },
    { id: 'paid', label: 'Paid', query: { status: 'paid' }, empty: 'No transfer has settled yet.' },
    {
      id: 'trouble',
      label: 'Not settled',
      query: { status: 'failed,reversed,on_hold,cancelled' },
      empty: 'No transfer failed, came back or was stopped.',
    },
    { id: 'deposits', label: 'Deposits', query: { direction: 'deposit' }, empty: 'Nothing was paid out to a linked bank account yet.' },
    {
      id: 'withdrawals',
      label: 'Withdrawals',
      query: { direction: 'withdrawal' },
      empty: 'Nothing was taken from a linked bank account yet.',
    },
  ],
  search: { name: 'search_text', placeholder: 'Id or trace number' },
  filters: {
    event_type: { label: 'What it is about', kind: 'choice', choices: fundingTypeChoices },
    created_from: { label: 'Created from', kind: 'date' },
    created_to: { label: 'Created to', kind: 'date' },
    trace_number: { label: 'Trace number', kind: 'text' },
    trace_id: { label: 'Trace id', kind: 'text' },
    status_reason: { label: 'Reason given', kind: 'text' },
    status_source: { label: 'Source', kind: 'text' },
  },
  sorts: ['transfer_date', 'amount'],
  order: 'desc',
}
