import * as z from 'zod'
import { flag, id, text } from './common.schema'
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

const one = z.strictObject({ id })

/** What each charge operation carries. */
export const chargeSchemas = {
  'charges.get': { input: one, output: charge },
  'charges.unmask': { input: one, output: unmaskedPayment },
}
