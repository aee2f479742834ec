import * as z from 'zod'
import {
  amount,
  customerDetails,
  flag,
  fundingIds,
  id,
  maybeTimestamp,
  metadata,
  paykeyDetails,
  relatedPayments,
  statusDetails,
  text,
  timestamp,
  traceIds,
} from './common.schema'
import { paymentStatuses, paymentTypes } from './enumerations'
import { centsBound, dayBound, paging, shortText, someOf, someWords, timeBound, yesNo } from './filter.schema'

/** A charge or payout as the search shows it: no history, no config (provider facts 2.5). */
export const paymentSummary = z.object({
  id,
  payment_type: z.string(),
  payment_date: text,
  effective_at: maybeTimestamp,
  description: text,
  external_id: text,
  amount,
  currency: z.string(),
  customer_details: customerDetails,
  paykey_details: paykeyDetails,
  status: z.string(),
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

/** A charge or payout in a list. */
export type PaymentSummary = z.output<typeof paymentSummary>

/** Every filter of the search (provider facts 1.6) save the paykey token, which has no place in a URL. */
export const paymentsFilter = z.strictObject({
  ...paging(['created_at', 'payment_date', 'effective_at', 'id', 'amount', 'updated_at'], 'created_at'),
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
  status_reason: someWords,
  status_source: someWords,
  include_metadata: yesNo,
  is_refund: yesNo,
  has_refund: yesNo,
  is_resubmit: yesNo,
  has_resubmit: yesNo,
})

/** A search as its parsed filters. */
export type PaymentsFilter = z.output<typeof paymentsFilter>

/** What each payments operation carries. */
export const paymentSchemas = {
  'payments.search': { input: paymentsFilter, output: z.array(paymentSummary) },
}
