import * as z from 'zod'
import {
  amount,
  customerDetails,
  device,
  documents,
  flag,
  fundingIds,
  id,
  idInput,
  maybe,
  maybeDay,
  maybeTimestamp,
  metadata,
  paykeyDetails,
  relatedPayments,
  statusDetails,
  statusHistory,
  text,
  timestamp,
  traceIds,
  word,
} from './common.schema'
import { paymentStatuses, paymentTypes } from './enumerations'
import { centsBound, createPagingFields, dayBound, plainTextList, queryBoolean, shortText, someOf, timeBound } from './input.schema'
import { chargeRefund, newCharge, newPayout, paymentDecision, paymentResubmit, paymentUpdate } from './payment-input.schema'

type RelatedPayment = { relationship: string; payment_type: string }
type ParentPayment = { is_refund?: boolean | undefined; is_resubmit?: boolean | undefined; related_payments: readonly RelatedPayment[] }

/** Returns the type of a related payment. If the service sends none, it is derived from the relationship; empty if not possible. */
function findRelatedType(
  { relationship, payment_type }: RelatedPayment,
  parentType: string,
  { is_refund, is_resubmit }: ParentPayment,
): string {
  if (payment_type !== '') return payment_type
  if (relationship === 'refund') return 'payout'
  if (relationship !== 'original' || is_refund === false || parentType === 'charge') return parentType
  // The original of a refund is a charge. A resubmitted refund has two originals, a charge and a payout, without a difference between them.
  return is_refund === true && is_resubmit === false ? 'charge' : ''
}

/** Fills in the types of related payments from their relationships (provider facts 3.1): the older contract has no types. */
const addRelatedTypes = <P extends ParentPayment>(payment: P, parentType: string): P => ({
  ...payment,
  related_payments: payment.related_payments.map((related) => ({
    ...related,
    payment_type: findRelatedType(related, parentType, payment),
  })),
})

/** A charge or payout as the search returns it: no history, no config (provider facts 2.5). */
export const paymentSummary = z
  .object({
    id,
    payment_type: word,
    payment_date: maybeDay,
    effective_at: maybeTimestamp,
    description: text,
    external_id: text,
    amount,
    currency: word,
    customer_details: customerDetails,
    paykey_details: paykeyDetails,
    status: word,
    status_details: statusDetails,
    funding_ids: fundingIds,
    trace_ids: traceIds,
    created_at: timestamp,
    updated_at: maybeTimestamp,
    metadata,
    related_payments: relatedPayments,
    is_refund: flag,
    has_refund: flag,
    is_resubmit: flag,
    has_resubmit: flag,
  })
  .transform((read) => addRelatedTypes(read, read.payment_type))

export type PaymentSummary = z.output<typeof paymentSummary>

/** All filters of the search (provider facts 1.6) except the paykey token, which must not be in a URL. */
const paymentsFilter = z.strictObject({
  ...createPagingFields(['created_at', 'payment_date', 'effective_at', 'id', 'amount', 'updated_at'], 'created_at'),
  payment_type: someOf(paymentTypes),
  payment_status: someOf(paymentStatuses),
  payment_id: id.optional(),
  external_id: shortText,
  customer_id: id.optional(),
  paykey_id: id.optional(),
  min_amount: centsBound,
  max_amount: centsBound,
  min_payment_date: dayBound,
  max_payment_date: dayBound,
  min_created_at: timeBound,
  max_created_at: timeBound,
  min_effective_at: timeBound,
  max_effective_at: timeBound,
  min_updated_at: timeBound,
  max_updated_at: timeBound,
  funding_id: id.optional(),
  search_text: shortText,
  status_reason: plainTextList,
  status_source: plainTextList,
  include_metadata: queryBoolean,
  is_refund: queryBoolean,
  has_refund: queryBoolean,
  is_resubmit: queryBoolean,
  has_resubmit: queryBoolean,
})

export type PaymentsFilter = z.output<typeof paymentsFilter>

/** The flags a search can filter by; the provider's older contract lacks them (provider facts 1.6). */
const relationFlags = ['is_refund', 'has_refund', 'is_resubmit', 'has_resubmit'] as const

/** True if a payment's own flags contradict the search: a service may ignore an unknown filter and return everything. */
export const contradictsFilter = (
  filter: Partial<PaymentsFilter>,
  payment: Pick<PaymentSummary, (typeof relationFlags)[number]>,
): boolean => relationFlags.some((flag) => filter[flag] !== undefined && payment[flag] !== undefined && filter[flag] !== payment[flag])

/** The fields of a payout, most of which a charge has too (interface document, "Payout"). The paykey token is left out. */
const payoutShape = z.object({
  id,
  description: text,
  amount,
  currency: word,
  payment_date: maybeDay,
  device,
  external_id: text,
  config: maybe(z.object({ sandbox_outcome: text, auto_hold: flag, auto_hold_message: text })),
  status: word,
  status_details: statusDetails,
  status_history: statusHistory,
  funding_ids: fundingIds,
  trace_ids: traceIds,
  is_refund: flag,
  is_resubmit: flag,
  has_resubmit: flag,
  payment_rail: text,
  customer_details: customerDetails,
  paykey_details: paykeyDetails,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
  processed_at: maybeTimestamp,
  effective_at: maybeTimestamp,
  metadata,
  related_payments: relatedPayments,
  documents,
})

export const payout = payoutShape.transform((read) => addRelatedTypes(read, 'payout'))

export type Payout = z.output<typeof payout>

/** The data that other reads mask: the IP address of the customer's device. The token, which the service sends too, is dropped. */
const unmaskedPayment = z.object({ id, device: maybe(z.object({ ip_address: text })) })

/** A charge: the payout's shape with its own inputs (interface document, "Payout", last paragraph; provider facts 2.3). */
export const charge = payoutShape
  .omit({ config: true, is_refund: true })
  .extend({
    consent_type: text,
    config: maybe(z.object({ balance_check: text, sandbox_outcome: text, auto_hold: flag, auto_hold_message: text })),
    has_refund: flag,
  })
  .transform((read) => addRelatedTypes(read, 'charge'))

/** Schemas of the payment operations. A refund is a payout. */
export const paymentSchemas = {
  'payouts.create': { input: newPayout, output: payout },
  'payouts.get': { input: idInput, output: payout },
  'payouts.unmask': { input: idInput, output: unmaskedPayment },
  'payouts.update': { input: paymentUpdate, output: payout },
  'payouts.hold': { input: paymentDecision, output: payout },
  'payouts.release': { input: paymentDecision, output: payout },
  'payouts.cancel': { input: paymentDecision, output: payout },
  'payouts.resubmit': { input: paymentResubmit, output: payout },
  'payouts.authorize': { input: idInput, output: payout },
  'payments.search': { input: paymentsFilter, output: z.array(paymentSummary) },
  'charges.create': { input: newCharge, output: charge },
  'charges.get': { input: idInput, output: charge },
  'charges.unmask': { input: idInput, output: unmaskedPayment },
  'charges.update': { input: paymentUpdate, output: charge },
  'charges.hold': { input: paymentDecision, output: charge },
  'charges.release': { input: paymentDecision, output: charge },
  'charges.cancel': { input: paymentDecision, output: charge },
  'charges.resubmit': { input: paymentResubmit, output: charge },
  'charges.refund': { input: chargeRefund, output: payout },
  'charges.authorize': { input: idInput, output: charge },
}
