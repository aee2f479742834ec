import * as z from 'zod'
import { isCalendarDate, toNewYorkDate } from '@/lib/dates'
import { id } from './common.schema'
import { consentTypes } from './consents'
import { balanceChecks, paymentSandboxOutcomes } from './enumerations'
import {
  cents,
  createOneLineTextSchema,
  createRequiredTextSchema,
  day,
  deviceInput,
  externalId,
  metadataInput,
  oneOf,
  statementDescription,
} from './input.schema'
import { decisionReasonInput } from './reason.schema'

/** An earlier date is a typing error, such as an incomplete year. */
const earliestAuthorizationDay = '2000-01-01'

const missingAuthorizationDayText = 'Enter the date of the authorization, like 2026-03-31.'

/**
 * Details of an uploaded proof. Paydesk stores them, because the service accepts only the file.
 * `method` is a value of the service's `consent_type`. The date is a New York calendar day.
 */
export const authorizationDetails = z.strictObject({
  authorized_by: createOneLineTextSchema(
    120,
    'Enter the name of the person who authorized the payment.',
  ),
  authorized_on: z
    .string(missingAuthorizationDayText)
    .refine(isCalendarDate, { error: missingAuthorizationDayText, abort: true })
    .refine(
      (date) => date <= toNewYorkDate(Date.now()),
      'Must not be in the future: enter the day on which the payment was authorized.',
    )
    .refine(
      (date) => date >= earliestAuthorizationDay,
      `Must not be before ${earliestAuthorizationDay}: check the year.`,
    ),
  method: z.enum(consentTypes, {
    error: ({ input }) =>
      input
        ? `Must be one of ${consentTypes.join(', ')}.`
        : 'Choose how the payment was authorized.',
  }),
  note: z
    .string('Must be text.')
    .trim()
    .max(500, 'Must be at most 500 characters.')
    .transform((text) => text || undefined)
    .optional(),
})

/** Personal data: who authorized a payment, on which day (`2026-03-31`), and how. */
export type AuthorizationDetails = z.output<typeof authorizationDetails>

const paymentConfig = z.strictObject({
  sandbox_outcome: oneOf(paymentSandboxOutcomes).optional(),
  auto_hold: z.boolean('Must be true or false.').optional(),
  auto_hold_message: createRequiredTextSchema(300, 'Enter a reason it is held.').optional(),
})

const newPaymentFields = {
  /** The server replaces this field with the paykey's token before it sends the payment. */
  paykey_id: id,
  amount: cents,
  currency: z.literal('USD', 'Must be USD.'),
  description: statementDescription,
  payment_date: day,
  device: deviceInput,
  external_id: externalId,
  metadata: metadataInput,
}

/** Provider facts 1.5. The amount is in cents. */
export const newPayout = z.strictObject({ ...newPaymentFields, config: paymentConfig.optional() })

/** Interface document, `POST /v1/charges`. The amount is in cents. */
export const newCharge = z.strictObject({
  ...newPaymentFields,
  consent_type: oneOf(consentTypes),
  config: paymentConfig.extend({ balance_check: oneOf(balanceChecks) }),
})

/** Allowed before the money moves. New metadata replaces all of it; omitted metadata stays. */
export const paymentUpdate = z.strictObject({
  id,
  description: statementDescription,
  amount: cents,
  payment_date: day,
  metadata: metadataInput,
})

const repeatedPaymentFields = {
  id,
  description: statementDescription.optional(),
  payment_date: day.optional(),
  external_id: externalId.optional(),
}

/** Repeats a payment as a new one. Omitted fields are copied, except the date: it becomes today. */
export const paymentResubmit = z.strictObject(repeatedPaymentFields)

/** Without an amount, the full amount is refunded. */
export const chargeRefund = z.strictObject({
  ...repeatedPaymentFields,
  amount: cents.optional(),
  metadata: metadataInput,
})

/** Input of a hold, a release or a cancellation. */
export const paymentDecision = z.strictObject({ id, reason: decisionReasonInput })
