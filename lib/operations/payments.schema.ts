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

/** Lists in a URL: repeated keys or comma-joined, both accepted. */
const words = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(',')).filter((part) => part !== ''))
  .pipe(z.array(z.string().regex(/^[\w-]{1,60}$/, 'must be plain words')).max(30))
  .optional()

const cents = z.coerce.number('must be a whole number of cents').int('must be a whole number of cents').min(0).max(2_147_483_647).optional()
const day = z.iso.date('must be a date like 2026-03-31').optional()
const moment = z.iso.datetime({ offset: true, error: 'must be a time like 2026-03-31T14:05:00Z' }).optional()
const yesNo = z.union([z.boolean(), z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')]).optional()
const shortText = z.string().trim().max(100, 'must be at most 100 characters').optional()

/** Every filter of the search (provider facts 1.6) save the paykey token, which has no place in a URL. */
export const paymentsFilter = z.strictObject({
  page_number: z.coerce.number('must be a page number').int().min(1, 'begins at 1').max(1_000_000).default(1),
  page_size: z.coerce.number('must be a number from 1 to 1000').int().min(1).max(1000, 'must be at most 1000').default(50),
  sort_by: z.enum(['created_at', 'payment_date', 'effective_at', 'id', 'amount', 'updated_at']).default('created_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  payment_type: words,
  payment_status: words,
  payment_id: id.optional(),
  external_id: shortText,
  customer_id: id.optional(),
  paykey_id: id.optional(),
  min_amount: cents,
  max_amount: cents,
  min_payment_date: day,
  max_payment_date: day,
  min_created_at: moment,
  max_created_at: moment,
  min_effective_at: moment,
  max_effective_at: moment,
  min_updated_at: moment,
  max_updated_at: moment,
  funding_id: id.optional(),
  search_text: shortText,
  status_reason: words,
  status_source: words,
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
