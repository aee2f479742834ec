import { z } from 'zod'
import { cents, date, device, externalId, metadata, text, word } from '@/sandbox/http/fields'
import { sandboxOutcomes } from './payment-outcomes'
import { balanceChecks } from './payment-values'

/** Up to 80 characters, the room on a bank statement. */
const ownDescription = text(80)

/** Null becomes an empty text in responses: the provider accepts null, the interface document returns text. */
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

/** Body of `POST /v1/charges` (interface document, create charge). `signed` is the provider's name for `signed_agreement`. */
export const chargeBody = z.strictObject({
  ...payment,
  consent_type: word(['internet', 'signed_agreement', 'signed']),
  config: config.extend({ balance_check: word(balanceChecks).nullish() }).nullish(),
})

/** Body of an update: the fields that can change before the money moves. `metadata` replaces all; if missing, it stays unchanged. */
export const updateBody = z.strictObject({ description, amount: cents, payment_date: date, metadata: metadata.nullish() })

const followUpFields = { description: ownDescription.nullish(), payment_date: date.nullish(), external_id: externalId.nullish() }

/** Body of a resubmit; missing fields are copied from the original payment. */
export const resubmitBody = z.strictObject(followUpFields)

/** Body of a refund; by default it is the whole charge. */
export const refundBody = z.strictObject({ ...followUpFields, amount: cents.nullish(), metadata: metadata.nullish() })

/** Body of hold, release and cancel. The provider documents no limit for the reason; 500 characters is the sandbox's choice. */
export const reasonBody = z.strictObject({ reason: freeText.nullish() })
