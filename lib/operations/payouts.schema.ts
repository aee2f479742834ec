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
import { newPayout, one, paymentDecision, paymentResubmit, paymentUpdate } from './payment-input.schema'

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

/** What each payout operation carries. */
export const payoutSchemas = {
  'payouts.create': { input: newPayout, output: payout },
  'payouts.get': { input: one, output: payout },
  'payouts.unmask': { input: one, output: unmaskedPayment },
  'payouts.update': { input: paymentUpdate, output: payout },
  'payouts.hold': { input: paymentDecision, output: payout },
  'payouts.release': { input: paymentDecision, output: payout },
  'payouts.cancel': { input: paymentDecision, output: payout },
  'payouts.resubmit': { input: paymentResubmit, output: payout },
  'payouts.authorize': { input: one, output: payout },
}
