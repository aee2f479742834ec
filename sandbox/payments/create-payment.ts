import { z } from 'zod'
import { requireNoForcedOutcome } from '@/sandbox/accounts/configuration'
import { requireAccountRowNumber } from '@/sandbox/accounts/owner'
import {
  cents,
  dateSchema,
  deviceSchema,
  externalIdSchema,
  makeEnumSchema,
  makeTextSchema,
  metadataInputSchema,
} from '@/sandbox/http/read-body'
import type { OperationCall } from '@/sandbox/operation'
import { newId } from '@/sandbox/store/store'
import { makeFieldProblem, requireTodayOrLater, requireUnusedExternalId } from './find-payment'
import type { Payment, PaymentDoc, RelatedPayment } from './payment'
import { makeFirstStatusChange, startPaymentTimer } from './payment-moves'
import { sandboxOutcomes } from './payment-outcomes'
import { recordPaymentEvent } from './payment-reads'
import { requirePaymentRight } from './payment-rights'
import { balanceChecks } from './payment-values'

/** Every payment needs a unique reference: without `external_id`, it is the payment's own id. */
export type PaymentDraft = Pick<
  Payment,
  'type' | 'account' | 'customer' | 'paykey' | 'amount' | 'payment_date' | 'description'
> & {
  external_id: string | undefined
  doc: Pick<PaymentDoc, 'device' | 'config' | 'metadata' | 'consent_type'>
}

type PaymentOrigin = { payment: Payment; as: 'refund' | 'resubmit' }

const flagByOrigin = { refund: 'has_refund', resubmit: 'has_resubmit' } as const

/**
 * Links a refunded or resubmitted payment to the new payment. Changes nothing and returns false for
 * a second refund or resubmit (provider-facts 3.1).
 */
function markOriginalPayment(
  { sandbox, now }: OperationCall,
  { payment, as }: PaymentOrigin,
  newPayment: Payment,
): boolean {
  if (payment[flagByOrigin[as]]) return false
  payment[flagByOrigin[as]] = true
  payment.doc.related_payments.push({
    id: newPayment.id,
    relationship: as,
    payment_type: newPayment.type,
  })
  payment.updated_at = now
  sandbox.payments.save(payment)
  return true
}

/** Returns true for a resubmitted refund too, because it also refunds a charge. */
const isRefund = (origin: PaymentOrigin | undefined): boolean =>
  origin !== undefined && (origin.as === 'refund' || origin.payment.is_refund)

function listOriginalPayments(origin: PaymentOrigin | undefined): RelatedPayment[] {
  if (!origin) return []
  const { id, type, doc } = origin.payment
  const originalCharges = doc.related_payments.filter(
    ({ relationship, payment_type }) => relationship === 'original' && payment_type !== type,
  )
  return [{ id, relationship: 'original', payment_type: type }, ...originalCharges]
}

/**
 * Stores a new payment and starts its automatic moves. The caller must make all checks of the
 * request first, in the same transaction.
 */
export function insertPayment(
  call: OperationCall,
  { doc, external_id, ...draft }: PaymentDraft,
  origin?: PaymentOrigin,
): Payment {
  const { sandbox, now } = call
  const id = newId(now)
  const payment = sandbox.payments.insert({
    id,
    ...draft,
    external_id: external_id ?? id,
    ...{ created_at: now, updated_at: now, processed_at: null, effective_at: null, funding: null },
    ...{
      is_refund: isRefund(origin),
      is_resubmit: origin?.as === 'resubmit',
      has_refund: false,
      has_resubmit: false,
    },
    doc: {
      ...doc,
      status_history: [makeFirstStatusChange(doc.config, now)],
      trace_ids: {},
      related_payments: listOriginalPayments(origin),
      documents: [],
    },
  })
  // Link the original to the new payment before scheduling the new payment's first check. That
  // check cancels a refund or resubmit to which its original has no link.
  const isOriginalMarked = origin !== undefined && markOriginalPayment(call, origin, payment)
  startPaymentTimer(sandbox, payment)
  recordPaymentEvent(sandbox, payment, now, 'created')
  if (isOriginalMarked) recordPaymentEvent(sandbox, origin.payment, now)
  return payment
}

/** A description has at most 80 characters, because a bank statement has no room for more. */
const descriptionSchema = makeTextSchema(80)

/**
 * The provider accepts null as the description. Responses then contain an empty text (interface
 * document).
 */
const nullableDescriptionSchema = descriptionSchema.nullable()

const freeTextSchema = z.string('must be a string').max(500, 'must be at most 500 characters')

const paymentConfigSchema = z.strictObject(
  {
    sandbox_outcome: makeEnumSchema(sandboxOutcomes).nullish(),
    auto_hold: z.boolean('must be true or false').nullish(),
    auto_hold_message: freeTextSchema.nullish(),
  },
  'must be an object',
)

const paymentBodyFields = {
  paykey: z
    .string('is required: the full token of a paykey')
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters'),
  description: nullableDescriptionSchema,
  amount: cents,
  currency: z.literal('USD', 'must be USD'),
  payment_date: dateSchema,
  device: deviceSchema,
  external_id: externalIdSchema,
  metadata: metadataInputSchema.nullish(),
}

/** Body of `POST /v1/payouts` (provider-facts 1.5). */
export const payoutBodySchema = z.strictObject({
  ...paymentBodyFields,
  config: paymentConfigSchema.nullish(),
})

/**
 * `signed` is accepted too, because it is the name of the provider for `signed_agreement`
 * (interface document, create charge).
 */
export const chargeBodySchema = z.strictObject({
  ...paymentBodyFields,
  consent_type: makeEnumSchema(['internet', 'signed_agreement', 'signed']),
  config: paymentConfigSchema
    .extend({ balance_check: makeEnumSchema(balanceChecks).nullish() })
    .nullish(),
})

/** A new `metadata` replaces all metadata. Without it, metadata stays unchanged. */
export const updatePaymentBodySchema = z.strictObject({
  description: nullableDescriptionSchema,
  amount: cents,
  payment_date: dateSchema,
  metadata: metadataInputSchema.nullish(),
})

const followUpPaymentFields = {
  description: descriptionSchema.nullish(),
  payment_date: dateSchema.nullish(),
  external_id: externalIdSchema.nullish(),
}

export const resubmitBodySchema = z.strictObject(followUpPaymentFields)

export const refundBodySchema = z.strictObject({
  ...followUpPaymentFields,
  amount: cents.nullish(),
  metadata: metadataInputSchema.nullish(),
})

/** The provider documents no maximum length: 500 characters is the sandbox's own choice. */
export const reasonBodySchema = z.strictObject({ reason: freeTextSchema.nullish() })

type ChargeBody = z.infer<typeof chargeBodySchema>
type PayoutBody = z.infer<typeof payoutBodySchema>

/**
 * A paykey of an account pays only that account. In a marketplace, a paykey of the platform pays any
 * account.
 */
function findPaymentParties({ sandbox, account: callAccount }: OperationCall, token: string) {
  const account = requireAccountRowNumber(callAccount)
  const paykeyEntries = sandbox.paykeys.withToken(token).flatMap((n) => sandbox.paykeys.at(n) ?? [])
  const paykeyEntry = paykeyEntries.find(({ secret }) => secret.token === token)
  const owner = paykeyEntry?.account
  if (!paykeyEntry || (owner !== null && owner !== account)) {
    const ownerNoun = sandbox.integration === 'marketplace' ? 'platform' : 'account'
    throw makeFieldProblem('paykey', `is not the full token of a paykey of this ${ownerNoun}`)
  }
  const customer = sandbox.customers.get(paykeyEntry.doc.customer_id)
  if (!customer) throw makeFieldProblem('paykey', 'belongs to a customer that was deleted')
  return { account, paykey: paykeyEntry.n, customer: customer.n, customerType: customer.doc.type }
}

const buildPaymentConfig = (config: PayoutBody['config']) => ({
  sandbox_outcome: config?.sandbox_outcome ?? 'standard',
  auto_hold: config?.auto_hold ?? undefined,
  auto_hold_message: config?.auto_hold_message ?? undefined,
})

type PaymentTypeFields = Pick<PaymentDraft, 'type'> &
  Pick<PaymentDraft['doc'], 'config' | 'consent_type'>

function createPayment(
  call: OperationCall,
  body: ChargeBody | PayoutBody,
  { type, ...own }: PaymentTypeFields,
): Payment {
  const { customerType, ...parties } = findPaymentParties(call, body.paykey)
  requireTodayOrLater(body.payment_date, call.now)
  requireNoForcedOutcome(call.sandbox, body.config?.sandbox_outcome)
  requireUnusedExternalId(call.sandbox, type, body.external_id)
  requirePaymentRight(call.sandbox, parties, { type, customerType, consent: own.consent_type })
  const { amount, payment_date, description, external_id, device, metadata } = body
  const doc = { device, metadata: metadata ?? {}, ...own }
  return insertPayment(call, {
    type,
    ...parties,
    amount,
    payment_date,
    description: description ?? '',
    external_id,
    doc,
  })
}

export function createCharge(call: OperationCall<unknown, ChargeBody>): Payment {
  const { config, consent_type } = call.input
  return createPayment(call, call.input, {
    type: 'charge',
    consent_type: consent_type === 'internet' ? consent_type : 'signed_agreement',
    config: { ...buildPaymentConfig(config), balance_check: config?.balance_check ?? 'enabled' },
  })
}

export const createPayout = (call: OperationCall<unknown, PayoutBody>): Payment =>
  createPayment(call, call.input, { type: 'payout', config: buildPaymentConfig(call.input.config) })
