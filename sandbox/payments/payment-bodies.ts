import { z } from 'zod'
import { cents, date, device, externalId, metadata, text, word } from '@/sandbox/http/fields'
import { sandboxOutcomes } from './payment-outcomes'
import { balanceChecks } from './payment-values'

/** Up to 80 characters, the room a bank statement has. */
const ownDescription = text(80)

/** Null counts as an empty one, which is how it is answered: the provider takes null, the interface document answers text. */
const description = ownDescription.nullable()

const freeText = z.string('must be a string').max(500, 'must be at most 500 characters')

const config = z.strictObject(
  {
    sandbox_outcome: word(sandboxOutcomes).nullish(),
    auto_hold: z.boolean('must be true or false').nullish(),
    auto_hold_message: freeText.nullish(),
  },
  'must be an object',
)

const payment = {
  paykey: z.string('is required: the full token of a paykey').min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
  description,
  amount: cents,
  currency: z.literal('USD', 'must be USD'),
  payment_date: date,
  device,
  external_id: externalId,
  metadata: metadata.nullish(),
}

/** Body of `POST /v1/payouts` (provider-facts 1.5). */
export const payoutBody = z.strictObject({ ...payment, config: config.nullish() })

/** Body of `POST /v1/charges` (interface document, create charge). `signed` is the provider's word for `signed_agreement`. */
export const chargeBody = z.strictObject({
  ...payment,
  consent_type: word(['internet', 'signed_agreement', 'signed']),
  config: config.extend({ balance_check: word(balanceChecks).nullish() }).nullish(),
})

/** Body of an update: what may still be changed before the money moves. `metadata` replaces the whole, left out it stays. */
export const updateBody = z.strictObject({ description, amount: cents, payment_date: date, metadata: metadata.nullish() })

const again = { description: ownDescription.nullish(), payment_date: date.nullish(), external_id: externalId.nullish() }

/** Body of a resubmit; what is left out is taken from the payment that is repeated. */
export const resubmitBody = z.strictObject(again)

/** Body of a refund; without an amount it is the whole charge. */
export const refundBody = z.strictObject({ ...again, amount: cents.nullish(), metadata: metadata.nullish() })

/** Body of hold, release and cancel. The provider gives the reason no bound, 500 characters is the sandbox's. */
export const reasonBody = z.strictObject({ reason: freeText.nullish() })
