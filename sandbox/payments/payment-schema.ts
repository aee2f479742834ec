import { z } from 'zod'
import { dateSchema, timestampSchema, uuidSchema } from '@/sandbox/http/read-body'
import { fullTokenSchema, maskedTokenSchema } from '@/sandbox/paykeys/paykey-schema'
import { sandboxOutcomes } from './payment-outcomes'
import {
  balanceChecks,
  consentTypes,
  paymentStatuses,
  paymentTypes,
  statusReasons,
  statusSources,
} from './payment-values'

const centsTextSchema = z.string().regex(/^-?\d+$/)

export const maskedIpAddress = '**.**.**.**'

const statusFields = {
  message: z.string(),
  reason: z.enum(statusReasons),
  source: z.enum(statusSources),
  changed_at: timestampSchema,
  code: z.string().nullable(),
}

const paymentStatusDetailsSchema = z.strictObject(statusFields).meta({ id: 'PaymentStatusDetails' })

export const statusChangeSchema = z
  .strictObject({ status: z.enum(paymentStatuses), ...statusFields })
  .meta({ id: 'PaymentStatusChange' })

export const paymentDocumentSchema = z
  .strictObject({
    document_id: uuidSchema,
    document_name: z.string(),
    document_type: z.literal('payment_authorization'),
    document_size: z.int().min(0),
    uploaded_at: timestampSchema,
  })
  .meta({ id: 'PaymentDocument' })

export const relatedPaymentSchema = z
  .strictObject({
    id: uuidSchema,
    relationship: z.enum(['original', 'resubmit', 'refund']),
    payment_type: z.enum(paymentTypes),
  })
  .meta({ id: 'RelatedPayment' })

const customerDetailsSchema = z
  .strictObject({
    id: uuidSchema,
    name: z.string(),
    customer_type: z.enum(['individual', 'business', '']),
    email: z.string(),
    phone: z.string(),
  })
  .meta({ id: 'PaymentCustomerDetails' })

/** `balance` is in cents, null if unknown. */
const paykeyDetailsSchema = z
  .strictObject({
    id: uuidSchema,
    customer_id: uuidSchema,
    label: z.string(),
    balance: centsTextSchema.nullable(),
  })
  .meta({ id: 'PaymentPaykeyDetails' })

export const payoutConfigSchema = z
  .strictObject({
    sandbox_outcome: z.enum(sandboxOutcomes),
    auto_hold: z.boolean().optional(),
    auto_hold_message: z.string().optional(),
  })
  .meta({ id: 'PayoutConfig' })

export const chargeConfigSchema = payoutConfigSchema
  .extend({ balance_check: z.enum(balanceChecks) })
  .meta({ id: 'ChargeConfig' })

const sharedPaymentFields = {
  id: uuidSchema,
  paykey: maskedTokenSchema,
  description: z.string(),
  amount: centsTextSchema,
  currency: z.literal('USD'),
  payment_date: dateSchema,
  external_id: z.string(),
  status: z.enum(paymentStatuses),
  status_details: paymentStatusDetailsSchema,
  funding_ids: z.array(uuidSchema),
  trace_ids: z.record(z.string(), z.string()),
  is_resubmit: z.boolean(),
  has_resubmit: z.boolean(),
  customer_details: customerDetailsSchema,
  paykey_details: paykeyDetailsSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
  effective_at: timestampSchema.nullable(),
  related_payments: z.array(relatedPaymentSchema),
}

const metadataSchema = z.record(z.string(), z.string())

const paymentFields = {
  ...sharedPaymentFields,
  device: z.strictObject({ ip_address: z.literal(maskedIpAddress) }),
  status_history: z.array(statusChangeSchema).min(1),
  payment_rail: z.literal('ach'),
  processed_at: timestampSchema.nullable(),
  metadata: metadataSchema,
  documents: z.array(paymentDocumentSchema),
}

export const payoutSchema = z
  .strictObject({ ...paymentFields, config: payoutConfigSchema, is_refund: z.boolean() })
  .meta({ id: 'Payout' })

/** A charge has the fields of a payout, and some that only a charge has (provider-facts 2.3). */
export const chargeSchema = z
  .strictObject({
    ...paymentFields,
    config: chargeConfigSchema,
    consent_type: z.enum(consentTypes),
    has_refund: z.boolean(),
  })
  .meta({ id: 'Charge' })

const unmaskedPaymentFields = {
  paykey: fullTokenSchema,
  device: z.strictObject({ ip_address: z.ipv4() }),
}

const unmaskedPayoutSchema = payoutSchema
  .extend(unmaskedPaymentFields)
  .meta({ id: 'UnmaskedPayout' })

const unmaskedChargeSchema = chargeSchema
  .extend(unmaskedPaymentFields)
  .meta({ id: 'UnmaskedCharge' })

export const paymentSchemas = { charge: chargeSchema, payout: payoutSchema } as const

export const unmaskedPaymentSchemas = {
  charge: unmaskedChargeSchema,
  payout: unmaskedPayoutSchema,
} as const

/**
 * A payment in a list. It has no history, config and documents, and has `metadata` only on request
 * (provider-facts 2.5).
 */
export const paymentSummarySchema = z
  .strictObject({
    ...sharedPaymentFields,
    payment_type: z.enum(paymentTypes),
    funding_id: uuidSchema.nullable(),
    is_refund: z.boolean(),
    has_refund: z.boolean(),
    metadata: metadataSchema.optional(),
  })
  .meta({ id: 'PaymentSummary' })

export type Payout = z.infer<typeof payoutSchema>
export type Charge = z.infer<typeof chargeSchema>
export type PaymentSummary = z.infer<typeof paymentSummarySchema>
