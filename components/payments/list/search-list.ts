import type { FilterSpec, ListSpec } from '@/components/kits/list/spec'
import { getStatusWords } from '@/lib/domain/status'
import { paymentStatuses } from '@/lib/operations/enumerations'
import { paymentPeriods, statusReasonLabels } from './lists'

const statusLabels = Object.fromEntries(
  paymentStatuses.map((status) => [status, getStatusWords('payment', status).label]),
)

/**
 * All filters of the payments search (provider facts 1.6), in display order.
 */
const searchFilters: Readonly<Record<string, FilterSpec>> = {
  payment_status: { label: 'Status', kind: 'some', choices: statusLabels },
  status_reason: { label: 'Reason given', kind: 'choice', choices: statusReasonLabels },
  status_source: {
    label: 'Source',
    kind: 'choice',
    choices: {
      watchtower: 'Provider risk check',
      bank_decline: 'The bank',
      customer_dispute: 'Customer dispute',
      user_action: 'A user',
      system: 'The payments service',
    },
  },
  min_amount: { label: 'Amount from', kind: 'amount' },
  max_amount: { label: 'Amount to', kind: 'amount' },
  min_payment_date: { label: 'Payment date from', kind: 'date' },
  max_payment_date: { label: 'Payment date to', kind: 'date' },
  min_created_at: { label: 'Created from', kind: 'since' },
  max_created_at: { label: 'Created to', kind: 'until' },
  min_effective_at: { label: 'Settled from', kind: 'since' },
  max_effective_at: { label: 'Settled to', kind: 'until' },
  min_updated_at: { label: 'Changed from', kind: 'since' },
  max_updated_at: { label: 'Changed to', kind: 'until' },
  is_refund: { label: 'Is a refund', kind: 'yesno' },
  has_refund: { label: 'Was refunded', kind: 'yesno' },
  is_resubmit: { label: 'Resubmission', kind: 'yesno' },
  has_resubmit: { label: 'Resubmitted', kind: 'yesno' },
  external_id: { label: 'External ID', kind: 'text' },
  payment_id: { label: 'Payment ID', kind: 'id' },
  customer_id: { label: 'Customer ID', kind: 'id' },
  paykey_id: { label: 'Paykey ID', kind: 'id' },
  funding_id: { label: 'Funding event ID', kind: 'id' },
}

export const paymentSearchList: ListSpec<'payments.search'> = {
  resource: 'payments',
  operation: 'payments.search',
  title: 'Payments',
  one: 'payment',
  many: 'payments',
  tabs: [
    {
      id: 'all',
      label: 'All',
      query: {},
      empty: 'No payments yet. They appear here as soon as one is created.',
    },
    {
      id: 'charges',
      label: 'Charges',
      query: { payment_type: 'charge' },
      empty: 'No charges yet.',
    },
    {
      id: 'payouts',
      label: 'Payouts',
      query: { payment_type: 'payout' },
      empty: 'No payouts yet.',
    },
    {
      id: 'hold',
      label: 'On hold',
      query: { payment_status: 'on_hold' },
      empty: 'No payment is on hold.',
      queue: true,
      order: 'asc',
    },
    {
      id: 'returned',
      label: 'Returned',
      query: { payment_status: 'failed,reversed' },
      empty: 'No payment failed or was returned.',
    },
    {
      id: 'refunds',
      label: 'Refunds',
      query: { is_refund: 'true' },
      empty: 'No charge was refunded.',
    },
  ],
  search: { name: 'search_text', placeholder: 'Name, description, ext. ID' },
  filters: searchFilters,
  periods: paymentPeriods,
  sorts: ['created_at', 'payment_date', 'amount', 'effective_at', 'updated_at', 'id'],
  order: 'desc',
  columns: {
    type: { label: 'Charge or payout' },
    bank: { label: 'Bank account', hidden: true },
    state: { label: 'Status' },
    account: { label: 'Account' },
    date: { label: 'Payment date' },
    effective: { label: 'Settled', hidden: true },
    updated: { label: 'Changed', hidden: true },
    external: { label: 'External ID', hidden: true },
    description: { label: 'Description', hidden: true },
    source: { label: 'Source', hidden: true },
    funding: { label: 'Funding event', hidden: true },
  },
}
