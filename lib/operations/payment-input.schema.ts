import * as z from 'zod'
import { id } from './common.schema'
import { balanceChecks, consentTypes, paymentOutcomes } from './enumerations'
import { oneOf } from './filter.schema'
import { cents, day, description, deviceInput, externalId, metadataInput, textOf } from './input.schema'
import { reason } from './reason.schema'

const config = z.strictObject({
  sandbox_outcome: oneOf(paymentOutcomes).optional(),
  auto_hold: z.boolean('must be true or false').optional(),
  auto_hold_message: textOf(300, 'say why it is held').optional(),
})

const payment = {
  /** The server puts the token in its place. */
  paykey_id: id,
  amount: cents,
  currency: z.literal('USD', 'must be USD'),
  description,
  payment_date: day,
  device: deviceInput,
  external_id: externalId,
  metadata: metadataInput,
}

/** What a new payout is made of (provider facts 1.5); the amount is cents. */
export const newPayout = z.strictObject({ ...payment, config: config.optional() })

/** What a new charge is made of (interface document, `POST /v1/charges`); the amount is cents. */
export const newCharge = z.strictObject({
  ...payment,
  consent_type: oneOf(consentTypes),
  config: config.extend({ balance_check: oneOf(balanceChecks) }),
})

/** What may still be changed before the money moves. Metadata that is left out stays; given, it replaces the whole. */
export const paymentUpdate = z.strictObject({ id, description, amount: cents, payment_date: day, metadata: metadataInput })

const again = { id, description: description.optional(), payment_date: day.optional(), external_id: externalId.optional() }

/** A payment sent once more; what is left out is taken from the first one, and the date is today's. */
export const paymentResubmit = z.strictObject(again)

/** A charge paid back; without an amount, all of it. */
export const chargeRefund = z.strictObject({ ...again, amount: cents.optional(), metadata: metadataInput })

/** A change of status, and why. */
export const paymentDecision = z.strictObject({ id, reason })

/** An operation that needs no more than the object. */
export const one = z.strictObject({ id })
