import { z } from 'zod'
import { dateSchema, timestampSchema, uuidSchema } from '@/sandbox/http/read-body'
import { sandboxOutcomes } from '@/sandbox/payments/payment-outcomes'
import { paymentSummarySchema, statusChangeSchema } from '@/sandbox/payments/payment-schema'
import type { PaymentType } from '@/sandbox/payments/payment-values'

/** Direction of the money, seen from the account's linked bank account. */
export const fundingDirections = ['deposit', 'withdrawal'] as const

/** Kinds of funding events (provider-facts 2.1). */
export const fundingEventTypes = [
  'charge_deposit',
  'charge_reversal',
  'payout_withdrawal',
  'payout_return',
] as const

/** `credit` (charge) and `debit` (payout) move a payment's money. The others take it back. */
const fundingReasons = ['credit', 'debit', 'reversal', 'failed'] as const

export type FundingReason = (typeof fundingReasons)[number]

const linkedBankAccountDetailsSchema = z
  .strictObject({
    institution_name: z.string(),
    account_holder: z.string(),
    routing_number: z.string().regex(/^\d{9}$/),
    account_number: z.string().regex(/^\*{5}\d{4}$/),
  })
  .meta({ id: 'FundingBankAccountDetails' })

/**
 * A funding event in API responses (provider-facts 2.12). `amount` is in cents and always the sum
 * of the event's lines. It is negative if more money is taken back than moved, as in
 * `charge_reversal` and `payout_return`. The trace fields are empty until the event is sent.
 */
export const fundingEventSchema = z
  .strictObject({
    id: uuidSchema,
    amount: z.int(),
    direction: z.enum(fundingDirections),
    event_type: z.enum(fundingEventTypes),
    payment_count: z.int().min(1),
    transfer_date: dateSchema,
    trace_numbers: z.array(z.string()),
    trace_number: z.string().nullable(),
    trace_ids: z.record(z.string(), z.string()),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    status: statusChangeSchema.shape.status,
    status_details: paymentSummarySchema.shape.status_details,
    status_history: z.array(statusChangeSchema).min(1),
    config: z.strictObject({ sandbox_outcome: z.enum(sandboxOutcomes) }),
    linked_bank_account_details: linkedBankAccountDetailsSchema.nullable(),
  })
  .meta({ id: 'FundingEvent' })

export const fundingEventSummarySchema = fundingEventSchema
  .omit({ status_history: true, config: true, linked_bank_account_details: true })
  .meta({ id: 'FundingEventSummary' })

const paymentSummaryShape = paymentSummarySchema.shape

/** Amounts are in cents. `funding_amount` is negative for money that is taken back. */
export const fundingEventPaymentSchema = z
  .strictObject({
    id: uuidSchema,
    payment_type: paymentSummaryShape.payment_type,
    payment_date: dateSchema,
    currency: paymentSummaryShape.currency,
    funding_amount: z.int(),
    payment_amount: z.int(),
    reason: z.enum(fundingReasons),
    status: paymentSummaryShape.status,
    external_id: z.string(),
    trace_ids: paymentSummaryShape.trace_ids,
    customer_details: paymentSummaryShape.customer_details,
    paykey_details: paymentSummaryShape.paykey_details,
    metadata: paymentSummaryShape.metadata,
  })
  .meta({ id: 'FundingEventPayment' })

export type FundingEvent = z.infer<typeof fundingEventSchema>

type FundingDraft = Pick<
  FundingEvent,
  'id' | 'config' | 'transfer_date' | 'linked_bank_account_details'
> & {
  type: PaymentType
  sum: number
  count: number
  at: string
}

function toFundingEventKind(
  type: PaymentType,
  sum: number,
): Pick<FundingEvent, 'direction' | 'event_type'> {
  if (type === 'charge') {
    return sum > 0
      ? { direction: 'deposit', event_type: 'charge_deposit' }
      : { direction: 'withdrawal', event_type: 'charge_reversal' }
  }
  return sum > 0
    ? { direction: 'withdrawal', event_type: 'payout_withdrawal' }
    : { direction: 'deposit', event_type: 'payout_return' }
}

export function buildFundingEvent({ type, sum, count, at, ...draft }: FundingDraft): FundingEvent {
  const statusDetails = {
    message: 'Payments grouped into one transfer, waiting to be sent',
    reason: 'ok',
    source: 'system',
    changed_at: at,
    code: null,
  } as const
  return {
    ...draft,
    amount: sum,
    ...toFundingEventKind(type, sum),
    payment_count: count,
    ...{ trace_numbers: [], trace_number: null, trace_ids: {} },
    ...{ created_at: at, updated_at: at, status: 'created' },
    status_details: statusDetails,
    status_history: [{ status: 'created', ...statusDetails }],
  }
}
