import type { ListSpec } from '@/components/kits/list/list-spec'
import { paymentFilters, reasonWords } from './payment-filters'

/** The list of payouts: held ones first, as a queue, oldest first. */
export const payoutList: ListSpec<'payments.search'> = {
  resource: 'payouts',
  operation: 'payments.search',
  title: 'Payouts',
  one: 'payout',
  many: 'payouts',
  fixed: { payment_type: 'payout' },
  tabs: [
    {
      id: 'hold',
      label: 'On hold',
      query: { payment_status: 'on_hold' },
      empty: 'Nothing waits for a decision. New holds appear here, oldest first.',
      queue: true,
      order: 'asc',
    },
    {
      id: 'upcoming',
      label: 'Upcoming',
      query: { payment_status: 'created,validating,scheduled' },
      empty: 'No payout is on its way to the bank network.',
    },
    { id: 'pending', label: 'Pending', query: { payment_status: 'pending' }, empty: 'No payout is with the bank network now.' },
    { id: 'paid', label: 'Paid', query: { payment_status: 'paid' }, empty: 'No payout has been paid yet.' },
    { id: 'returned', label: 'Returned', query: { payment_status: 'failed,reversed' }, empty: 'No payout failed or came back.' },
    { id: 'cancelled', label: 'Cancelled', query: { payment_status: 'cancelled' }, empty: 'No payout was cancelled.' },
    { id: 'all', label: 'All', query: {}, empty: 'No payouts yet. They appear here as soon as one is created.' },
  ],
  search: { name: 'search_text', placeholder: 'Name, description, external id' },
  filters: { ...paymentFilters, status_reason: { label: 'Reason given', kind: 'choice', choices: reasonWords } },
  sorts: ['created_at', 'payment_date', 'amount', 'updated_at'],
  order: 'desc',
}
