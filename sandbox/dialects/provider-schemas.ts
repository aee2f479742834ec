import { z } from 'zod'
import {
  fundingEventPaymentSchema,
  fundingEventSchema,
  fundingEventSummarySchema,
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

/** The provider omits the field if there is no code; the interface document has null. */
const optionalCodeSchema = z.string().optional()

const statusDetailsSchema = payoutFields.status_details
  .extend({ code: optionalCodeSchema })
  .meta({ id: 'PaymentStatusDetails' })

const statusHistorySchema = z
  .array(
    statusChangeSchema.extend({ code: optionalCodeSchema }).meta({ id: 'PaymentStatusChange' }),
  )
  .min(1)

const paymentPaykeySchema = payoutFields.paykey_details
  .extend({ balance: z.int().optional() })
  .meta({ id: 'PaymentPaykeyDetails' })

const relatedPaymentsSchema = z.record(uuid, relatedPaymentSchema.shape.relationship).meta({
  id: 'RelatedPayments',
  description: 'The id of each related payment, and what it is to this one.',
})

const paymentSummaryFields = {
  amount: z.int(),
  paykey_details: paymentPaykeySchema,
  related_payments: relatedPaymentsSchema,
  status_details: statusDetailsSchema,
}
const paymentFields = { ...paymentSummaryFields, status_history: statusHistorySchema }
const chargeFields = { ...paymentFields, consent_type: z.enum(['internet', 'signed']) }

const paykeyFields = { status_details: paykeyStatusDetails.extend({ code: optionalCodeSchema }) }
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
    unmaskedSchemas.charge,
    unmaskedSchemas.charge.extend(chargeFields).meta({ id: 'UnmaskedCharge' }),
  ],
  [
    unmaskedSchemas.payout,
    unmaskedSchemas.payout.extend(paymentFields).meta({ id: 'UnmaskedPayout' }),
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
        status_details: statusDetailsSchema,
        status_history: statusHistorySchema,
        trace_numbers: traceNumbersSchema,
      })
      .meta({ id: 'FundingEvent' }),
  ],
  [
    fundingEventSummarySchema,
    fundingEventSummarySchema
      .extend({ status_details: statusDetailsSchema, trace_numbers: traceNumbersSchema })
      .meta({ id: 'FundingEventSummary' }),
  ],
  [
    fundingEventPaymentSchema,
    fundingEventPaymentSchema
      .extend({ external_id: z.string().optional(), paykey_details: paymentPaykeySchema })
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
