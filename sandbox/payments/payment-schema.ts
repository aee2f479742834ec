import { z } from 'zod'
import { date, timestamp, uuid } from '@/sandbox/http/read-body'
import { fullToken, maskedToken } from '@/sandbox/paykeys/paykey-schema'
import { sandboxOutcomes } from './payment-outcomes'
import { balanceChecks, consentTypes, paymentStatuses, paymentTypes, statusReasons, statusSources } from './payment-values'

const centsText = z.string().regex(/^-?\d+$/)

export const maskedAddress = '**.**.**.**'

const statusFields = {
  message: z.string(),
  reason: z.enum(statusReasons),
  source: z.enum(statusSources),
  changed_at: timestamp,
  code: z.string().nullable(),
}

const statusDetails = z.strictObject(statusFields).meta({ id: 'PaymentStatusDetails' })

export const statusChange = z.strictObject({ status: z.enum(paymentStatuses), ...statusFields }).meta({ id: 'PaymentStatusChange' })

export const paymentDocument = z
  .strictObject({
    document_id: uuid,
    document_name: z.string(),
    document_type: z.literal('payment_authorization'),
    document_size: z.int().min(0),
    uploaded_at: timestamp,
  })
  .meta({ id: 'PaymentDocument' })

export const relatedPayment = z
  .strictObject({ id: uuid, relationship: z.enum(['original', 'resubmit', 'refund']), payment_type: z.enum(paymentTypes) })
  .meta({ id: 'RelatedPayment' })

const customerDetails = z
  .strictObject({
    id: uuid,
    name: z.string(),
    customer_type: z.enum(['individual', 'business', '']),
    email: z.string(),
    phone: z.string(),
  })
  .meta({ id: 'PaymentCustomerDetails' })

/** The paykey of a payment. `balance` is in cents, null if unknown. */
const paykeyDetails = z
  .strictObject({ id: uuid, customer_id: uuid, label: z.string(), balance: centsText.nullable() })
  .meta({ id: 'PaymentPaykeyDetails' })

export const payoutConfig = z
  .strictObject({
    sandbox_outcome: z.enum(sandboxOutcomes),
    auto_hold: z.boolean().optional(),
    auto_hold_message: z.string().optional(),
  })
  .meta({ id: 'PayoutConfig' })

export const chargeConfig = payoutConfig.extend({ balance_check: z.enum(balanceChecks) }).meta({ id: 'ChargeConfig' })

const shared = {
  id: uuid,
  paykey: maskedToken,
  description: z.string(),
  amount: centsText,
  currency: z.literal('USD'),
  payment_date: date,
  external_id: z.string(),
  status: z.enum(paymentStatuses),
  status_details: statusDetails,
  funding_ids: z.array(uuid),
  trace_ids: z.record(z.string(), z.string()),
  is_resubmit: z.boolean(),
  has_resubmit: z.boolean(),
  customer_details: customerDetails,
  paykey_details: paykeyDetails,
  created_at: timestamp,
  updated_at: timestamp,
  effective_at: timestamp.nullable(),
  related_payments: z.array(relatedPayment),
}

const metadata = z.record(z.string(), z.string())

const paymentFields = {
  ...shared,
  device: z.strictObject({ ip_address: z.literal(maskedAddress) }),
  status_history: z.array(statusChange).min(1),
  payment_rail: z.literal('ach'),
  processed_at: timestamp.nullable(),
  metadata,
  documents: z.array(paymentDocument),
}

export const payout = z.strictObject({ ...paymentFields, config: payoutConfig, is_refund: z.boolean() }).meta({ id: 'Payout' })

/** A charge in API responses: the fields of a payout, and the fields that only a charge has (provider-facts 2.3). */
export const charge = z
  .strictObject({ ...paymentFields, config: chargeConfig, consent_type: z.enum(consentTypes), has_refund: z.boolean() })
  .meta({ id: 'Charge' })

const unmasked = { paykey: fullToken, device: z.strictObject({ ip_address: z.ipv4() }) }

const unmaskedPayout = payout.extend(unmasked).meta({ id: 'UnmaskedPayout' })

const unmaskedCharge = charge.extend(unmasked).meta({ id: 'UnmaskedCharge' })

export const paymentSchemas = { charge, payout } as const

export const unmaskedSchemas = { charge: unmaskedCharge, payout: unmaskedPayout } as const

/** A charge or payout in search results, without history, config and documents. Metadata only on request (provider-facts 2.5). */
export const paymentSummary = z
  .strictObject({
    ...shared,
    payment_type: z.enum(paymentTypes),
    funding_id: uuid.nullable(),
    is_refund: z.boolean(),
    has_refund: z.boolean(),
    metadata: metadata.optional(),
  })
  .meta({ id: 'PaymentSummary' })

export type Payout = z.infer<typeof payout>
export type Charge = z.infer<typeof charge>
export type PaymentSummary = z.infer<typeof paymentSummary>
