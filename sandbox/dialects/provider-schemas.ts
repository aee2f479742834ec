import { z } from 'zod'
import {
  fundingEvent,
  fundingEventPayment,
  fundingEventSummary,
} from '@/sandbox/funding/funding-event'
import { uuid } from '@/sandbox/http/read-body'
import { errorEnvelope, requestMeta } from '@/sandbox/openapi/envelope-schemas'
import {
  paykeyReviewSchema,
  paykeySchema,
  paykeySummarySchema,
  revealedPaykeySchema,
  unmaskedPaykeySchema,
} from '@/sandbox/paykeys/paykey-schema'
import {
  chargeSchema,
  paymentSummarySchema,
  payoutSchema,
  relatedPaymentSchema,
  statusChangeSchema,
  unmaskedSchemas,
} from '@/sandbox/payments/payment-schema'

const payoutFields = payoutSchema.shape
const paykeyStatusDetails = paykeySchema.shape.status_details

/**
 * Return code of a status. The provider omits the field if there is no code; in the interface
 * document it is then null.
 */
const optionalCodeSchema = z.string().optional()

const statusDetails = payoutFields.status_details
  .extend({ code: optionalCodeSchema })
  .meta({ id: 'PaymentStatusDetails' })

const statusHistory = z
  .array(
    statusChangeSchema.extend({ code: optionalCodeSchema }).meta({ id: 'PaymentStatusChange' }),
  )
  .min(1)

const paykeyDetails = payoutFields.paykey_details
  .extend({ balance: z.int().optional() })
  .meta({ id: 'PaymentPaykeyDetails' })

const relatedPayments = z
  .record(uuid, relatedPaymentSchema.shape.relationship)
  .meta({
    id: 'RelatedPayments',
    description: 'The id of each related payment, and what it is to this one.',
  })

const listedFields = {
  amount: z.int(),
  paykey_details: paykeyDetails,
  related_payments: relatedPayments,
  status_details: statusDetails,
}
const paymentFields = { ...listedFields, status_history: statusHistory }
const chargeFields = { ...paymentFields, consent_type: z.enum(['internet', 'signed']) }

const paykeyFields = { status_details: paykeyStatusDetails.extend({ code: optionalCodeSchema }) }
const paykeyDetailFields = { ...paykeyFields, balance: paykeySchema.shape.balance.optional() }
const paykeyDetailSchema = paykeySchema.extend(paykeyDetailFields).meta({ id: 'Paykey' })

// The provider's contract requires this field, but no observed response contained it.
const traceNumbers = z.array(z.string()).optional()

export const providerOutputs: ReadonlyMap<z.ZodType, z.ZodType> = new Map<z.ZodType, z.ZodType>([
  [chargeSchema, chargeSchema.extend(chargeFields).meta({ id: 'Charge' })],
  [payoutSchema, payoutSchema.extend(paymentFields).meta({ id: 'Payout' })],
  [
    unmaskedSchemas.charge,
    unmaskedSchemas.charge.extend(chargeFields).meta({ id: 'UnmaskedCharge' }),
  ],
  [
    unmaskedSchemas.payout,
    unmaskedSchemas.payout.extend(paymentFields).meta({ id: 'UnmaskedPayout' }),
  ],
  [paymentSummarySchema, paymentSummarySchema.extend(listedFields).meta({ id: 'PaymentSummary' })],
  [paykeySchema, paykeyDetailSchema],
  [paykeySummarySchema, paykeySummarySchema.extend(paykeyFields).meta({ id: 'PaykeySummary' })],
  [
    revealedPaykeySchema,
    revealedPaykeySchema.extend(paykeyDetailFields).meta({ id: 'RevealedPaykey' }),
  ],
  [
    unmaskedPaykeySchema,
    unmaskedPaykeySchema.extend(paykeyDetailFields).meta({ id: 'UnmaskedPaykey' }),
  ],
  [
    paykeyReviewSchema,
    paykeyReviewSchema.extend({ paykey_details: paykeyDetailSchema }).meta({ id: 'PaykeyReview' }),
  ],
  [
    fundingEvent,
    fundingEvent
      .extend({
        status_details: statusDetails,
        status_history: statusHistory,
        trace_numbers: traceNumbers,
      })
      .meta({ id: 'FundingEvent' }),
  ],
  [
    fundingEventSummary,
    fundingEventSummary
      .extend({ status_details: statusDetails, trace_numbers: traceNumbers })
      .meta({ id: 'FundingEventSummary' }),
  ],
  [
    fundingEventPayment,
    fundingEventPayment
      .extend({ external_id: z.string().optional(), paykey_details: paykeyDetails })
      .meta({ id: 'FundingEventPayment' }),
  ],
])

/** Error envelope of the provider. Its `meta` has a row count, which is always 0. */
export const providerErrorEnvelope = errorEnvelope
  .extend({ meta: requestMeta.extend({ total_rows: z.int() }).meta({ id: 'ErrorMeta' }) })
  .meta({
    id: 'ErrorEnvelope',
    description: 'Every error that has a body and no shape of its own.',
  })
