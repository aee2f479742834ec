import type { ListSpec } from '@/components/kits/list/spec'
import { namedOr } from '@/lib/domain/service-words'
import { stateSince, statusWords, type Tone } from '@/lib/domain/status'
import type { CustomerSummary } from '@/lib/operations/customers.schema'

/** The list of customers. The first tab is the decision queue, oldest first. */
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
    { id: 'verified', label: 'Verified', query: { status: 'verified' }, empty: 'No customer is verified yet.' },
    { id: 'pending', label: 'Pending', query: { status: 'pending' }, empty: 'No verification is running.' },
    { id: 'rejected', label: 'Rejected', query: { status: 'rejected' }, empty: 'No customer was rejected.' },
    { id: 'inactive', label: 'Inactive', query: { status: 'inactive' }, empty: 'No customer is inactive.' },
    { id: 'all', label: 'All', query: {}, empty: 'No customers yet. They appear here as soon as one is created.' },
  ],
  search: { name: 'search_text', placeholder: 'Name, external ID' },
  filters: {
    types: { label: 'Type', kind: 'choice', choices: { individual: 'Individual', business: 'Business' } },
    name: { label: 'Name contains', kind: 'text' },
    external_id: { label: 'External ID', kind: 'text', placeholder: 'the full ID' },
    created_from: { label: 'Created from', kind: 'since' },
    created_to: { label: 'Created to', kind: 'until' },
  },
  periods: { created: { label: 'Created', from: 'created_from', to: 'created_to', kind: 'instant' } },
  sorts: ['created_at', 'name'],
  order: 'desc',
  columns: {
    kind: { label: 'Type' },
    contact: { label: 'Contact, masked' },
    state: { label: 'Status', tabs: ['verified', 'pending', 'rejected', 'inactive', 'all'] },
    account: { label: 'Account' },
  },
}

/** A list row. Contact data is masked. */
export type CustomerRow = {
  id: string
  name: string
  kind: string
  contact: string
  status: string
  tone: Tone
  external_id: string | undefined
  created_at: string | undefined
  /** When the current state began, else the time of the last change. The home page counts the same age. */
  since: string | undefined
  /** `acct_…`, or null if unknown. */
  account: string | null
}

export function rowOf(customer: CustomerSummary, account: string | null): CustomerRow {
  const words = statusWords('customer', customer.status)
  return {
    id: customer.id,
    name: namedOr(customer.name, customer.id),
    kind: customer.type ?? 'unknown',
    contact: [customer.email, customer.phone].filter(Boolean).join(' · '),
    status: words.label,
    tone: words.tone,
    external_id: customer.external_id,
    created_at: customer.created_at,
    since: stateSince(customer),
    account,
  }
}

export const customerName = ({ name }: Pick<CustomerSummary, 'name'>): string => name ?? 'Unnamed customer'
