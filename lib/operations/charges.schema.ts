import * as z from 'zod'
import { flag, text } from './common.schema'
import { chargeRefund, newCharge, one, paymentDecision, paymentResubmit, paymentUpdate } from './payment-input.schema'
import { payout, unmaskedPayment } from './payouts.schema'

/** A charge: the payout's shape with its own inputs (interface document, "Payout", last paragraph; provider facts 2.3). */
export const charge = payout.omit({ config: true, is_refund: true }).extend({
  consent_type: text,
  config: z
    .object({ balance_check: text, sandbox_outcome: text, auto_hold: flag, auto_hold_message: text })
    .nullish()
    .transform((value) => value ?? undefined),
  has_refund: flag,
})

/** A charge as the browser sees it. */
export type Charge = z.output<typeof charge>

/** What each charge operation carries. A refund is a payout. */
export const chargeSchemas = {
  'charges.create': { input: newCharge, output: charge },
  'charges.get': { input: one, output: charge },
  'charges.unmask': { input: one, output: unmaskedPayment },
  'charges.update': { input: paymentUpdate, output: charge },
  'charges.hold': { input: paymentDecision, output: charge },
  'charges.release': { input: paymentDecision, output: charge },
  'charges.cancel': { input: paymentDecision, output: charge },
  'charges.resubmit': { input: paymentResubmit, output: charge },
  'charges.refund': { input: chargeRefund, output: payout },
  'charges.authorize': { input: one, output: charge },
}
