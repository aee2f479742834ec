import type { CustomerBook } from '@/sandbox/customers/customer-book'
import type { PaykeyBook } from '@/sandbox/paykeys/paykey-book'
import { iso, isoOrNull } from '@/sandbox/store/clock'
import { type Payment, stateOf } from './payment'
import type { PaymentBook } from './payment-book'

/** Where the parts of a payment's answer come from. */
export type ViewSources = { payments: PaymentBook; customers: CustomerBook; paykeys: PaykeyBook }

function details(sources: ViewSources, payment: Payment) {
  const customer = sources.customers.at(payment.customer)?.customer
  const paykey = sources.paykeys.at(payment.paykey)?.paykey
  const fundingId = payment.funding === null ? undefined : sources.payments.fundingId(payment.funding)
  return {
    paykey: paykey?.paykey ?? '',
    funding_ids: fundingId === undefined ? [] : [fundingId],
    customer_details: customer && {
      id: customer.id,
      name: customer.name,
      customer_type: customer.type,
      email: customer.email,
      phone: customer.phone,
    },
    // The interface document types this balance as a string; the paykey's own is a number.
    paykey_details: paykey && {
      id: paykey.id,
      customer_id: paykey.customer_id,
      label: paykey.label,
      balance: String(paykey.balance.account_balance),
    },
  }
}

function statusDetails(payment: Payment) {
  const { message, reason, source, changed_at, code } = stateOf(payment)
  return { message, reason, source, changed_at, code }
}

const common = (sources: ViewSources, payment: Payment) => ({
  id: payment.id,
  description: payment.description,
  // A number carried as a string, in cents.
  amount: String(payment.amount),
  currency: 'USD',
  payment_date: payment.payment_date,
  external_id: payment.external_id,
  status: stateOf(payment).status,
  status_details: statusDetails(payment),
  trace_ids: payment.doc.trace_ids,
  is_resubmit: payment.is_resubmit,
  has_resubmit: payment.has_resubmit,
  created_at: iso(payment.created_at),
  updated_at: iso(payment.updated_at),
  effective_at: isoOrNull(payment.effective_at),
  related_payments: payment.doc.related_payments,
  ...details(sources, payment),
})

/** The whole payout or charge as a read gives it (interface document, "Payout"; a charge adds its own inputs). */
export function paymentView(sources: ViewSources, payment: Payment) {
  const { status_history, device, config, metadata, documents, consent_type } = payment.doc
  const kind = payment.type === 'payout' ? { is_refund: payment.is_refund } : { consent_type, has_refund: payment.has_refund }
  return {
    ...common(sources, payment),
    ...kind,
    device,
    config,
    status_history,
    payment_rail: 'ach',
    processed_at: isoOrNull(payment.processed_at),
    metadata,
    documents,
  }
}

/** The shorter form a search gives: no history, no config, no documents; metadata only when asked for. */
export function paymentSummary(sources: ViewSources, payment: Payment, includeMetadata: boolean) {
  const base = common(sources, payment)
  return {
    ...base,
    payment_type: payment.type,
    is_refund: payment.is_refund,
    has_refund: payment.has_refund,
    funding_id: base.funding_ids[0] ?? null,
    ...(includeMetadata ? { metadata: payment.doc.metadata } : {}),
  }
}
