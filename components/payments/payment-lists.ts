import type { ListSpec } from '@/components/kits/list/list-spec'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { paymentFilters, reasonWords } from './payment-filters'
import { paymentNouns } from './payment-nouns'

/** The list of a kind: held ones first, as a queue, oldest first. */
function listOf(kind: PaymentKind): ListSpec<'payments.search'> {
  const { resource, one, many } = paymentNouns[kind]
  return {
    resource,
    operation: 'payments.search',
    title: many.replace(/^./, (first) => first.toUpperCase()),
    one,
    many,
    fixed: { payment_type: kind },
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
        empty: `No ${one} is on its way to the bank network.`,
      },
      { id: 'pending', label: 'Pending', query: { payment_status: 'pending' }, empty: `No ${one} is with the bank network now.` },
      { id: 'paid', label: 'Paid', query: { payment_status: 'paid' }, empty: `No ${one} has been paid yet.` },
      { id: 'returned', label: 'Returned', query: { payment_status: 'failed,reversed' }, empty: `No ${one} failed or came back.` },
      { id: 'cancelled', label: 'Cancelled', query: { payment_status: 'cancelled' }, empty: `No ${one} was cancelled.` },
      { id: 'all', label: 'All', query: {}, empty: `No ${many} yet. They appear here as soon as one is created.` },
    ],
    search: { name: 'search_text', placeholder: 'Name, description, external id' },
    filters: { ...paymentFilters[kind], status_reason: { label: 'Reason given', kind: 'choice', choices: reasonWords } },
    sorts: ['created_at', 'payment_date', 'amount', 'updated_at'],
    order: 'desc',
  }
}

/** The list of each kind. */
export const paymentLists: Readonly<Record<PaymentKind, ListSpec<'payments.search'>>> = {
  payout: listOf('payout'),
  charge: listOf('charge'),
}
