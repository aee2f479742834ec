import type { CustomerTable } from '@/sandbox/customers/customer-store'
import { type FundingEventTable, listFundingIds } from '@/sandbox/funding/funding-event-store'
import { definePagedList } from '@/sandbox/operation'
import type { PaykeyTable } from '@/sandbox/paykeys/paykey-store'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime, toIsoTimeOrNull } from '@/sandbox/store/clock'
import { getCurrentState, type Payment } from './payment'
import {
  type Charge,
  maskedIpAddress,
  type PaymentSummary,
  type Payout,
  paymentSummarySchema,
} from './payment-schema'
import { makePaymentFilters, paymentSearchQuerySchema } from './search-filter'

export type PaymentViewSources = {
  fundingEvents: Pick<FundingEventTable, 'idOf' | 'lines'>
  customers: Pick<CustomerTable, 'at'>
  paykeys: Pick<PaykeyTable, 'at'>
}

function memoize<T>(read: (n: number) => T): (n: number) => T {
  const cache = new Map<number, T>()
  return (n) => {
    const value = cache.get(n) ?? read(n)
    cache.set(n, value)
    return value
  }
}

/** Payments of a page often share a funding event, customer or paykey, which is then read once. */
export const cacheViewSources = ({
  fundingEvents,
  customers,
  paykeys,
}: PaymentViewSources): PaymentViewSources => ({
  fundingEvents: { lines: fundingEvents.lines, idOf: memoize((n) => fundingEvents.idOf(n)) },
  customers: { at: memoize((n) => customers.at(n)) },
  paykeys: { at: memoize((n) => paykeys.at(n)) },
})

export const makeDeletedCustomerDetails = (id: string) => ({
  id,
  name: 'Deleted customer',
  customer_type: '' as const,
  email: '',
  phone: '',
})

function toCustomerDetails(
  customers: PaymentViewSources['customers'],
  payment: Payment,
  customerId: string,
) {
  const customer = customers.at(payment.customer)?.doc
  if (!customer) return makeDeletedCustomerDetails(customerId)
  return {
    id: customerId,
    name: customer.name,
    customer_type: customer.type,
    email: customer.email,
    phone: customer.phone,
  }
}

function toPartyDetails({ customers, paykeys }: PaymentViewSources, payment: Payment) {
  const paykey = paykeys.at(payment.paykey)?.doc
  if (!paykey) throw new RangeError(`payment ${payment.n} has no paykey`)
  const balance = paykey.balance?.account_balance ?? null
  return {
    paykey: paykey.paykey,
    customer_details: toCustomerDetails(customers, payment, paykey.customer_id),
    paykey_details: {
      id: paykey.id,
      customer_id: paykey.customer_id,
      label: paykey.label,
      // The interface document defines the balance as a string here, but as a number in a paykey.
      balance: balance === null ? null : String(balance),
    },
  }
}

function toStatusDetails(payment: Payment) {
  const { message, reason, source, changed_at, code } = getCurrentState(payment)
  return { message, reason, source, changed_at, code }
}

const toCommonFields = (sources: PaymentViewSources, payment: Payment) => ({
  id: payment.id,
  description: payment.description,
  // Cents, as a string.
  amount: String(payment.amount),
  currency: 'USD' as const,
  payment_date: payment.payment_date,
  external_id: payment.external_id,
  status: getCurrentState(payment).status,
  status_details: toStatusDetails(payment),
  funding_ids: listFundingIds(sources, payment),
  trace_ids: payment.doc.trace_ids,
  is_resubmit: payment.is_resubmit,
  has_resubmit: payment.has_resubmit,
  created_at: toIsoTime(payment.created_at),
  updated_at: toIsoTime(payment.updated_at),
  effective_at: toIsoTimeOrNull(payment.effective_at),
  related_payments: payment.doc.related_payments,
  ...toPartyDetails(sources, payment),
})

const toPaymentDetailFields = (sources: PaymentViewSources, payment: Payment) => ({
  ...toCommonFields(sources, payment),
  device: { ip_address: maskedIpAddress } as const,
  status_history: [...payment.doc.status_history],
  payment_rail: 'ach' as const,
  processed_at: toIsoTimeOrNull(payment.processed_at),
  metadata: payment.doc.metadata,
  documents: payment.doc.documents,
})

export const toPayoutView = (sources: PaymentViewSources, payment: Payment): Payout => ({
  ...toPaymentDetailFields(sources, payment),
  config: payment.doc.config,
  is_refund: payment.is_refund,
})

function toChargeView(sources: PaymentViewSources, payment: Payment): Charge {
  const { config, consent_type } = payment.doc
  const { balance_check } = config
  if (consent_type === undefined || balance_check === undefined)
    throw new RangeError(`charge ${payment.n} lacks its own inputs`)
  return {
    ...toPaymentDetailFields(sources, payment),
    config: { ...config, balance_check },
    consent_type,
    has_refund: payment.has_refund,
  }
}

export const toPaymentView = (sources: PaymentViewSources, payment: Payment): Charge | Payout =>
  payment.type === 'charge' ? toChargeView(sources, payment) : toPayoutView(sources, payment)

export function toPaymentSummaryView(
  sources: PaymentViewSources,
  payment: Payment,
  includeMetadata: boolean,
): PaymentSummary {
  const commonFields = toCommonFields(sources, payment)
  return {
    ...commonFields,
    payment_type: payment.type,
    is_refund: payment.is_refund,
    has_refund: payment.has_refund,
    funding_id: commonFields.funding_ids[0] ?? null,
    ...(includeMetadata ? { metadata: payment.doc.metadata } : {}),
  }
}

export const searchPaymentsOperation = definePagedList(
  {
    ...{ id: 'payments.search', path: '/v1/payments' },
    account: { saas: 'optional', marketplace: 'optional' },
    ...{
      summary: 'Search charges and payouts',
      query: paymentSearchQuerySchema,
      output: paymentSummarySchema,
    },
  },
  ({ sandbox, query, account }, page) => {
    const { total, payments } = sandbox.payments.page(
      page,
      makePaymentFilters(sandbox, query, account),
    )
    const viewSources = cacheViewSources(sandbox)
    return {
      total,
      items: payments.map((payment) =>
        toPaymentSummaryView(viewSources, payment, query.include_metadata ?? false),
      ),
    }
  },
)

/**
 * Returns the payment as API responses contain it, but with fewer fields in `config`
 * (provider-facts 4.2).
 */
function toEventData(sandbox: Sandbox, payment: Payment) {
  if (payment.type === 'payout') return { ...toPayoutView(sandbox, payment), config: {} }
  const view = toChargeView(sandbox, payment)
  return { ...view, config: { balance_check: view.config.balance_check } }
}

export function recordPaymentEvent(
  sandbox: Sandbox,
  payment: Payment,
  now: number,
  kind: 'created' | 'changed' = 'changed',
): void {
  const accountId = sandbox.accounts.idOf(payment.account)
  sandbox.events[kind](
    { resource: payment.type, accountId, data: toEventData(sandbox, payment) },
    now,
  )
}
