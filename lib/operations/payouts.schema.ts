import * as z from 'zod'
import {
  amount,
  customerDetails,
  device,
  documents,
  flag,
  fundingIds,
  id,
  maybe,
  maybeTimestamp,
  metadata,
  paykeyDetails,
  relatedPayments,
  statusDetails,
  statusHistory,
  text,
  traceIds,
} from './common.schema'

/** A payout as the browser may see it (interface document, "Payout"): the paykey token is not part of it. */
export const payout = z.object({
  id,
  description: text,
  amount,
  currency: z.string(),
  payment_date: text,
  device,
  external_id: text,
  config: z
    .object({ sandbox_outcome: text, auto_hold: flag, auto_hold_message: text })
    .nullish()
    .transform((value) => value ?? undefined),
  status: z.string(),
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

/** A payout as the browser sees it. */
export type Payout = z.output<typeof payout>

/** What the other reads hide of a payment: the address of the customer's device. The token, which the service sends too, stays behind. */
export const unmaskedPayment = z.object({ id, device: maybe(z.object({ ip_address: text })) })

/** A payment unmasked. */
export type UnmaskedPayment = z.output<typeof unmaskedPayment>

/**
 * Why a status is changed: a code of `lib/domain/decision-reasons`, a colon and a sentence. The service takes any text and does not say
 * whether one is needed; we need one, because it is recorded as the reason of the status change.
 */
export const reason = z
  .string({ error: 'say why: a reason code and a sentence' })
  .trim()
  .regex(/^[A-Z][A-Z_]{2,39}: \S/, 'must begin with a reason code, a colon and a space, then a sentence')
  .min(20, 'say why in a few more words')
  .max(300, 'must be at most 300 characters')

const decision = z.strictObject({ id, reason })
const one = z.strictObject({ id })

/** What each payout operation carries. */
export const payoutSchemas = {
  'payouts.get': { input: one, output: payout },
  'payouts.unmask': { input: one, output: unmaskedPayment },
  'payouts.hold': { input: decision, output: payout },
  'payouts.release': { input: decision, output: payout },
  'payouts.cancel': { input: decision, output: payout },
  'payouts.authorize': { input: one, output: payout },
}
