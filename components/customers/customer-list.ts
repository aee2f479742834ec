import type { ListSpec } from '@/components/kits/list/list-spec'

/** The list of customers: those who wait for a decision first, oldest first. */
export const customerList: ListSpec<'customers.list'> = {
  resource: 'customers',
  operation: 'customers.list',
  title: 'Customers',
  one: 'customer',
  many: 'customers',
  tabs: [
    {
      id: 'review',
      label: 'Review',
      query: { status: 'review' },
      empty: 'Nobody waits for a decision. New reviews appear here, oldest first.',
      queue: true,
      order: 'asc',
    },
    { id: 'verified', label: 'Verified', query: { status: 'verified' }, empty: 'No customer is verified yet.' },
    { id: 'pending', label: 'Pending', query: { status: 'pending' }, empty: 'No verification is running.' },
    { id: 'rejected', label: 'Rejected', query: { status: 'rejected' }, empty: 'No customer was rejected.' },
    { id: 'inactive', label: 'Inactive', query: { status: 'inactive' }, empty: 'No customer is switched off.' },
    { id: 'all', label: 'All', query: {}, empty: 'No customers yet. They appear here as soon as one is created.' },
  ],
  search: { name: 'search_text', placeholder: 'Name, external id' },
  filters: {
    types: { label: 'Kind', kind: 'choice', choices: { individual: 'Individual', business: 'Business' } },
    name: { label: 'Name holds', kind: 'text' },
    external_id: { label: 'External id', kind: 'text', placeholder: 'the whole id' },
    created_from: { label: 'Created from', kind: 'since' },
    created_to: { label: 'Created to', kind: 'until' },
  },
  sorts: ['created_at', 'name'],
  order: 'desc',
}
