import * as z from 'zod'
import {
  amount,
  customerDetails,
  deviceOfflineFlag,
  documents,
  fundingIds,
  id,
  idInput,
  metadata,
  openEnumValue,
  optionalBoolean,
  optionalDay,
  optionalOf,
  optionalText,
  optionalTimestamp,
  paykeyDetails,
  relatedPayments,
  statusDetails,
  statusHistory,
  timestamp,
  traceIds,
} from './common.schema'
import { paymentStatuses, paymentTypes } from './enumerations'
import {
  centsBound,
  createPagingFields,
  dayBound,
  optionalListOf,
  plainTextList,
  queryBoolean,
  shortText,
  timeBound,
} from './input.schema'
import {
  chargeRefund,
  newCharge,
  newPayout,
  paymentDecision,
  paymentResubmit,
  paymentUpdate,
} from './payment-input.schema'

type RelatedPayment = { relationship: string; payment_type: string }
type ParentPayment = {
  is_refund?: boolean | undefined
  is_resubmit?: boolean | undefined
  related_payments: readonly RelatedPayment[]
}

/** Derived from the relationship if the service sends no type; empty if that is not possible. */
function findRelatedPaymentType(
  { relationship, payment_type }: RelatedPayment,
  parentType: string,
  { is_refund, is_resubmit }: ParentPayment,
): string {
  if (payment_type !== '') return payment_type
  if (relationship === 'refund') return 'payout'
  if (relationship !== 'original' || is_refund === false || parentType === 'charge')
    return parentType
  // The original of a refund is a charge. A resubmitted refund has two originals, a charge and a
  // payout, and nothing shows which is which.
  return is_refund === true && is_resubmit === false ? 'charge' : ''
}

/** The older contract sends no types, so they are derived (provider facts 3.1). */
const addRelatedPaymentTypes = <P extends ParentPayment>(payment: P, parentType: string): P => ({
  ...payment,
  related_payments: payment.related_payments.map((related) => ({
    ...related,
    payment_type: findRelatedPaymentType(related, parentType, payment),
  })),
})

/** Without history and config (provider facts 2.5). */
export const paymentSummary = z
  .object({
    id,
    payment_type: openEnumValue,
    payment_date: optionalDay,
    effective_at: optionalTimestamp,
    description: optionalText,
    external_id: optionalText,
    amount,
    currency: openEnumValue,
    customer_details: customerDetails,
    paykey_details: paykeyDetails,
    status: openEnumValue,
    status_details: statusDetails,
    funding_ids: fundingIds,
    trace_ids: traceIds,
    created_at: timestamp,
    updated_at: optionalTimestamp,
    metadata,
    related_payments: relatedPayments,
    is_refund: optionalBoolean,
    has_refund: optionalBoolean,
    is_resubmit: optionalBoolean,
    has_resubmit: optionalBoolean,
  })
  .transform((read) => addRelatedPaymentTypes(read, read.payment_type))

export type PaymentSummary = z.output<typeof paymentSummary>

/** All filters (provider facts 1.6) except the paykey token, which must not be in a URL. */
const paymentsFilter = z.strictObject({
  ...createPagingFields(
    ['created_at', 'payment_date', 'effective_at', 'id', 'amount', 'updated_at'],
    'created_at',
  ),
  payment_type: optionalListOf(paymentTypes),
  payment_status: optionalListOf(paymentStatuses),
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

/** The provider's older contract does not have these filters (provider facts 1.6). */
const relationFlags = ['is_refund', 'has_refund', 'is_resubmit', 'has_resubmit'] as const

/** True if the payment must be dropped: an older service ignores filters that it does not know. */
export const doesContradictFilter = (
  filter: Partial<PaymentsFilter>,
  payment: Pick<PaymentSummary, (typeof relationFlags)[number]>,
): boolean =>
  relationFlags.some(
    (flag) =>
      filter[flag] !== undefined && payment[flag] !== undefined && filter[flag] !== payment[flag],
  )

/** Interface document, "Payout". The paykey token is left out. */
const payoutShape = z.object({
  id,
  description: optionalText,
  amount,
  currency: openEnumValue,
  payment_date: optionalDay,
  device: deviceOfflineFlag,
  external_id: optionalText,
  config: optionalOf(
    z.object({
      sandbox_outcome: optionalText,
      auto_hold: optionalBoolean,
      auto_hold_message: optionalText,
    }),
  ),
  status: openEnumValue,
  status_details: statusDetails,
  status_history: statusHistory,
  funding_ids: fundingIds,
  trace_ids: traceIds,
  is_refund: optionalBoolean,
  is_resubmit: optionalBoolean,
  has_resubmit: optionalBoolean,
  payment_rail: optionalText,
  customer_details: customerDetails,
  paykey_details: paykeyDetails,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
  processed_at: optionalTimestamp,
  effective_at: optionalTimestamp,
  metadata,
  related_payments: relatedPayments,
  documents,
})

export const payout = payoutShape.transform((read) => addRelatedPaymentTypes(read, 'payout'))

export type Payout = z.output<typeof payout>

/**
 * Reveals the IP address, which other reads mask. The service also sends the full token, which is
 * dropped.
 */
const unmaskedPayment = z.object({ id, device: optionalOf(z.object({ ip_address: optionalText })) })

/** Like a payout, with the differences below (interface document, "Payout"; provider facts 2.3). */
export const charge = payoutShape
  .omit({ config: true, is_refund: true })
  .extend({
    consent_type: optionalText,
    config: optionalOf(
      z.object({
        balance_check: optionalText,
        sandbox_outcome: optionalText,
        auto_hold: optionalBoolean,
        auto_hold_message: optionalText,
      }),
    ),
    has_refund: optionalBoolean,
  })
  .transform((read) => addRelatedPaymentTypes(read, 'charge'))

/** The service creates a refund of a charge as a payout. */
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
