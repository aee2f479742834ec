import { z } from 'zod'
import { fundingEvent, fundingEventPayment, fundingEventSummary } from '@/sandbox/funding/funding-event'
import { uuid } from '@/sandbox/http/read-body'
import { errorEnvelope, requestMeta } from '@/sandbox/openapi/envelope-schemas'
import {
  paykeyReviewSchema,
  paykeySchema,
  paykeySummarySchema,
  revealedPaykeySchema,
  unmaskedPaykeySchema,
} from '@/sandbox/paykeys/paykey-schema'
import { charge, paymentSummary, payout, relatedPayment, statusChange, unmaskedSchemas } from '@/sandbox/payments/payment-schema'

const payoutFields = payout.shape
const paykeyStatusDetails = paykeySchema.shape.status_details

/** Absent if there is no code; null in the interface document. */
const code = z.string().optional()

const statusDetails = payoutFields.status_details.extend({ code }).meta({ id: 'PaymentStatusDetails' })

const statusHistory = z.array(statusChange.extend({ code }).meta({ id: 'PaymentStatusChange' })).min(1)

const paykeyDetails = payoutFields.paykey_details.extend({ balance: z.int().optional() }).meta({ id: 'PaymentPaykeyDetails' })

const relatedPayments = z
  .record(uuid, relatedPayment.shape.relationship)
  .meta({ id: 'RelatedPayments', description: 'The id of each related payment, and what it is to this one.' })

const listedFields = { amount: z.int(), paykey_details: paykeyDetails, related_payments: relatedPayments, status_details: statusDetails }
const read = { ...listedFields, status_history: statusHistory }
const chargeFields = { ...read, consent_type: z.enum(['internet', 'signed']) }

const paykeyFields = { status_details: paykeyStatusDetails.extend({ code }) }
const paykeyDetailFields = { ...paykeyFields, balance: paykeySchema.shape.balance.optional() }
const paykeyDetailSchema = paykeySchema.extend(paykeyDetailFields).meta({ id: 'Paykey' })

// The provider's contract requires this field, but no response was seen with it.
const traceNumbers = z.array(z.string()).optional()

export const providerOutputs: ReadonlyMap<z.ZodType, z.ZodType> = new Map<z.ZodType, z.ZodType>([
  [charge, charge.extend(chargeFields).meta({ id: 'Charge' })],
  [payout, payout.extend(read).meta({ id: 'Payout' })],
  [unmaskedSchemas.charge, unmaskedSchemas.charge.extend(chargeFields).meta({ id: 'UnmaskedCharge' })],
  [unmaskedSchemas.payout, unmaskedSchemas.payout.extend(read).meta({ id: 'UnmaskedPayout' })],
  [paymentSummary, paymentSummary.extend(listedFields).meta({ id: 'PaymentSummary' })],
  [paykeySchema, paykeyDetailSchema],
  [paykeySummarySchema, paykeySummarySchema.extend(paykeyFields).meta({ id: 'PaykeySummary' })],
  [revealedPaykeySchema, revealedPaykeySchema.extend(paykeyDetailFields).meta({ id: 'RevealedPaykey' })],
  [unmaskedPaykeySchema, unmaskedPaykeySchema.extend(paykeyDetailFields).meta({ id: 'UnmaskedPaykey' })],
  [paykeyReviewSchema, paykeyReviewSchema.extend({ paykey_details: paykeyDetailSchema }).meta({ id: 'PaykeyReview' })],
  [
    fundingEvent,
    fundingEvent
      .extend({ status_details: statusDetails, status_history: statusHistory, trace_numbers: traceNumbers })
      .meta({ id: 'FundingEvent' }),
  ],
  [
    fundingEventSummary,
    fundingEventSummary.extend({ status_details: statusDetails, trace_numbers: traceNumbers }).meta({ id: 'FundingEventSummary' }),
  ],
  [
    fundingEventPayment,
    fundingEventPayment.extend({ external_id: z.string().optional(), paykey_details: paykeyDetails }).meta({ id: 'FundingEventPayment' }),
  ],
])

/** Error envelope of the provider. Its `meta` has a row count, which is always 0. */
export const providerErrorEnvelope = errorEnvelope
  .extend({ meta: requestMeta.extend({ total_rows: z.int() }).meta({ id: 'ErrorMeta' }) })
  .meta({ id: 'ErrorEnvelope', description: 'Every error that has a body and no shape of its own.' })
