import * as z from 'zod'
import { bankDay, isDay } from '@/lib/dates'
import { id } from './common.schema'
import { consentTypes } from './consents'
import { balanceChecks, paymentOutcomes } from './enumerations'
import { cents, day, description, deviceInput, externalId, lineOf, metadataInput, oneOf, textOf } from './input.schema'
import { reason } from './reason.schema'

/** Earlier days are slips of the hand, as a year that was not typed to its end. */
const earliest = '2000-01-01'

const noDay = 'enter the date of the authorization, like 2026-03-31'

/**
 * What a person says of an authorization proof. It stays with Paydesk: the service takes the file alone. `method` is the service's word for how a
 * customer agreed (`consent_type`), and days are counted where the bank is.
 */
export const proof = z.strictObject({
  authorized_by: lineOf(120, 'enter the name of the person who authorized the payment'),
  authorized_on: z
    .string(noDay)
    .refine(isDay, { error: noDay, abort: true })
    .refine((date) => date <= bankDay(Date.now()), 'must not be in the future: enter the day on which the payment was authorized')
    .refine((date) => date >= earliest, `must not be before ${earliest}: check the year`),
  method: z.enum(consentTypes, {
    error: ({ input }) => (input ? `must be one of ${consentTypes.join(', ')}` : 'choose how the payment was authorized'),
  }),
  note: z
    .string('must be text')
    .trim()
    .max(500, 'must be at most 500 characters')
    .transform((text) => text || undefined)
    .optional(),
})

/** Who authorized a payment, when (`2026-03-31`) and how, and what else there is to say; personal data. */
export type Proof = z.output<typeof proof>

const config = z.strictObject({
  sandbox_outcome: oneOf(paymentOutcomes).optional(),
  auto_hold: z.boolean('must be true or false').optional(),
  auto_hold_message: textOf(300, 'enter a reason it is held').optional(),
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
