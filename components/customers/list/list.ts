import { type ListSpec, pickFields } from '@/components/kits/list/spec'
import type { CustomerSummary } from '@/lib/operations/customers.schema'

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
      empty: 'No customer is awaiting a decision. New reviews appear here, oldest first.',
      queue: true,
      waits: 'review',
      order: 'asc',
    },
    {
      id: 'verified',
      label: 'Verified',
      query: { status: 'verified' },
      empty: 'No customer is verified yet.',
    },
    {
      id: 'pending',
      label: 'Pending',
      query: { status: 'pending' },
      empty: 'No verification is running.',
    },
    {
      id: 'rejected',
      label: 'Rejected',
      query: { status: 'rejected' },
      empty: 'No customer was rejected.',
    },
    {
      id: 'inactive',
      label: 'Inactive',
      query: { status: 'inactive' },
      empty: 'No customer is inactive.',
    },
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No customers yet. They appear here as soon as one is created.',
    },
  ],
  search: { name: 'search_text', placeholder: 'Name, external ID' },
  filters: {
    types: {
      label: 'Type',
      kind: 'choice',
      choices: { individual: 'Individual', business: 'Business' },
    },
    name: { label: 'Name contains', kind: 'text' },
    external_id: { label: 'External ID', kind: 'text', placeholder: 'the full ID' },
    created_from: { label: 'Created from', kind: 'since' },
    created_to: { label: 'Created to', kind: 'until' },
  },
  periods: {
    created: { label: 'Created', from: 'created_from', to: 'created_to', kind: 'instant' },
  },
  sorts: ['created_at', 'name'],
  order: 'desc',
  columns: {
    kind: { label: 'Type' },
    contact: { label: 'Contact, masked' },
    state: { label: 'Status', tabs: ['verified', 'pending', 'rejected', 'inactive', 'all'] },
    account: { label: 'Account' },
  },
}

/** `account` is `acct_…`, or null if unknown. Contact data is masked. */
export type CustomerRow = CustomerSummary & { account: string | null }

const rowFields = [
  'id',
  'name',
  'type',
  'email',
  'phone',
  'status',
  'external_id',
  'created_at',
  'updated_at',
] as const

export const toCustomerRow = (customer: CustomerSummary, account: string | null): CustomerRow => ({
  ...pickFields(customer, rowFields),
  account,
})

export const getCustomerName = ({ name }: Pick<CustomerSummary, 'name'>): string =>
  name ?? 'Unnamed customer'
