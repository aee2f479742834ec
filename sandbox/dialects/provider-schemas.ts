import { z } from 'zod'
import {
  fundingEventPaymentSchema,
  fundingEventSchema,
  fundingEventSummarySchema,
} from '@/sandbox/funding/funding-event'
import { uuidSchema } from '@/sandbox/http/read-body'
import { errorEnvelopeSchema, requestMetaSchema } from '@/sandbox/openapi/envelope-schemas'
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
  unmaskedPaymentSchemas,
} from '@/sandbox/payments/payment-schema'

const payoutFields = payoutSchema.shape
const paykeyStatusDetailsSchema = paykeySchema.shape.status_details

/** The provider omits the field if there is no code; the interface document has null. */
const optionalCodeSchema = z.string().optional()

const paymentStatusDetailsSchema = payoutFields.status_details
  .extend({ code: optionalCodeSchema })
  .meta({ id: 'PaymentStatusDetails' })

const statusHistorySchema = z
  .array(
    statusChangeSchema.extend({ code: optionalCodeSchema }).meta({ id: 'PaymentStatusChange' }),
  )
  .min(1)

const paymentPaykeyDetailsSchema = payoutFields.paykey_details
  .extend({ balance: z.int().optional() })
  .meta({ id: 'PaymentPaykeyDetails' })

const relatedPaymentsSchema = z.record(uuidSchema, relatedPaymentSchema.shape.relationship).meta({
  id: 'RelatedPayments',
  description: 'The id of each related payment, and what it is to this one.',
})

const paymentSummaryFields = {
  amount: z.int(),
  paykey_details: paymentPaykeyDetailsSchema,
  related_payments: relatedPaymentsSchema,
  status_details: paymentStatusDetailsSchema,
}
const paymentFields = { ...paymentSummaryFields, status_history: statusHistorySchema }
const chargeFields = { ...paymentFields, consent_type: z.enum(['internet', 'signed']) }

const paykeyFields = {
  status_details: paykeyStatusDetailsSchema.extend({ code: optionalCodeSchema }),
}
const paykeyDetailFields = { ...paykeyFields, balance: paykeySchema.shape.balance.optional() }
const paykeyDetailSchema = paykeySchema.extend(paykeyDetailFields).meta({ id: 'Paykey' })

// The provider's contract requires this field, but no observed response contained it.
const traceNumbersSchema = z.array(z.string()).optional()

export const providerOutputSchemas: ReadonlyMap<z.ZodType, z.ZodType> = new Map<
  z.ZodType,
  z.ZodType
>([
  [chargeSchema, chargeSchema.extend(chargeFields).meta({ id: 'Charge' })],
  [payoutSchema, payoutSchema.extend(paymentFields).meta({ id: 'Payout' })],
  [
    unmaskedPaymentSchemas.charge,
    unmaskedPaymentSchemas.charge.extend(chargeFields).meta({ id: 'UnmaskedCharge' }),
  ],
  [
    unmaskedPaymentSchemas.payout,
    unmaskedPaymentSchemas.payout.extend(paymentFields).meta({ id: 'UnmaskedPayout' }),
  ],
  [
    paymentSummarySchema,
    paymentSummarySchema.extend(paymentSummaryFields).meta({ id: 'PaymentSummary' }),
  ],
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
    fundingEventSchema,
    fundingEventSchema
      .extend({
        status_details: paymentStatusDetailsSchema,
        status_history: statusHistorySchema,
        trace_numbers: traceNumbersSchema,
      })
      .meta({ id: 'FundingEvent' }),
  ],
  [
    fundingEventSummarySchema,
    fundingEventSummarySchema
      .extend({ status_details: paymentStatusDetailsSchema, trace_numbers: traceNumbersSchema })
      .meta({ id: 'FundingEventSummary' }),
  ],
  [
    fundingEventPaymentSchema,
    fundingEventPaymentSchema
      .extend({ external_id: z.string().optional(), paykey_details: paymentPaykeyDetailsSchema })
      .meta({ id: 'FundingEventPayment' }),
  ],
])

/** Error envelope of the provider. Its `meta` has a row count, which is always 0. */
export const providerErrorEnvelopeSchema = errorEnvelopeSchema
  .extend({ meta: requestMetaSchema.extend({ total_rows: z.int() }).meta({ id: 'ErrorMeta' }) })
  .meta({
    id: 'ErrorEnvelope',
    description: 'Every error that has a body and no shape of its own.',
  })
