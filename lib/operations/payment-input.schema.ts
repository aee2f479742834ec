import * as z from 'zod'
import { bankDay, isDay } from '@/lib/dates'
import { id } from './common.schema'
import { consentTypes } from './consents'
import { balanceChecks, paymentOutcomes } from './enumerations'
import { cents, day, description, deviceInput, externalId, metadataInput, oneOf, requiredLine, requiredText } from './input.schema'
import { reason } from './reason.schema'

/** The earliest date accepted for an authorization. An earlier date is a typing error, such as an incomplete year. */
const earliestDay = '2000-01-01'

const missingDayText = 'Enter the date of the authorization, like 2026-03-31.'

/**
 * A person's description of the proof that a payer authorized a payment. Paydesk keeps it, because the service takes only the file.
 * `method` is a value of the service's `consent_type`. Days are in the bank's time zone.
 */
export const authorizationDetails = z.strictObject({
  authorized_by: requiredLine(120, 'Enter the name of the person who authorized the payment.'),
  authorized_on: z
    .string(missingDayText)
    .refine(isDay, { error: missingDayText, abort: true })
    .refine((date) => date <= bankDay(Date.now()), 'Must not be in the future: enter the day on which the payment was authorized.')
    .refine((date) => date >= earliestDay, `Must not be before ${earliestDay}: check the year.`),
  method: z.enum(consentTypes, {
    error: ({ input }) => (input ? `Must be one of ${consentTypes.join(', ')}.` : 'Choose how the payment was authorized.'),
  }),
  note: z
    .string('Must be text.')
    .trim()
    .max(500, 'Must be at most 500 characters.')
    .transform((text) => text || undefined)
    .optional(),
})

/** The person who authorized a payment, the day (`2026-03-31`), the method, and a note. Personal data. */
export type AuthorizationDetails = z.output<typeof authorizationDetails>

const config = z.strictObject({
  sandbox_outcome: oneOf(paymentOutcomes).optional(),
  auto_hold: z.boolean('Must be true or false.').optional(),
  auto_hold_message: requiredText(300, 'Enter a reason it is held.').optional(),
})

const newPaymentFields = {
  /** The server replaces it with the payment token. */
  paykey_id: id,
  amount: cents,
  currency: z.literal('USD', 'Must be USD.'),
  description,
  payment_date: day,
  device: deviceInput,
  external_id: externalId,
  metadata: metadataInput,
}

/** Input of a new payout (provider facts 1.5); the amount is cents. */
export const newPayout = z.strictObject({ ...newPaymentFields, config: config.optional() })

/** Input of a new charge (interface document, `POST /v1/charges`); the amount is cents. */
export const newCharge = z.strictObject({
  ...newPaymentFields,
  consent_type: oneOf(consentTypes),
  config: config.extend({ balance_check: oneOf(balanceChecks) }),
})

/** Input of a payment change, allowed before the money moves. Omitted metadata stays. Given metadata replaces all stored metadata. */
export const paymentUpdate = z.strictObject({ id, description, amount: cents, payment_date: day, metadata: metadataInput })

const repeatFields = { id, description: description.optional(), payment_date: day.optional(), external_id: externalId.optional() }

/** Input of a resubmit. Omitted fields are copied from the first payment, but the default date is today. */
export const paymentResubmit = z.strictObject(repeatFields)

/** Input of a refund. Without an amount, the full amount is refunded. */
export const chargeRefund = z.strictObject({ ...repeatFields, amount: cents.optional(), metadata: metadataInput })

/** Input of a hold, a release or a cancellation. */
export const paymentDecision = z.strictObject({ id, reason })
