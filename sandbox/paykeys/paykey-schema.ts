import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { processingMethods } from '@/sandbox/customers/customer-schema'
import { timestampSchema } from '@/sandbox/http/read-body'
import { statusReasons, statusSources } from '@/sandbox/payments/payment-values'

/** Statuses of a paykey (provider-facts 2.1). */
export const paykeyStatuses = [
  'pending',
  'active',
  'inactive',
  'rejected',
  'review',
  'blocked',
] as const

/**
 * Sources of a paykey's bank details. For `bank_account` and `tan` (tokenized account number), the
 * client sends the details. `provider` is the provider itself. The others are aggregators, which
 * read the details at the bank.
 */
export const paykeySources = ['bank_account', 'provider', 'mx', 'plaid', 'tan', 'quiltt'] as const

export const bankAccountTypes = ['checking', 'savings'] as const

/**
 * Outcomes of a verification that a client can request. With `standard`, the sandbox's own checks
 * decide. The other values force the result.
 */
export const paykeyOutcomes = ['standard', 'active', 'review', 'rejected'] as const

const balanceStatuses = ['pending', 'completed', 'failed'] as const

// The strict patterns of masked values reject an unmasked value in their place.
export const maskedTokenSchema = z.string().regex(/^[0-9a-f]{3}\*{3}\.\d{2}\.\*{6}[0-9a-f]{3}$/)
export const fullTokenSchema = z.string().regex(/^[0-9a-f]{8}\.\d{2}\.[0-9a-f]{64}$/)
const maskedAccountNumberSchema = z.string().regex(/^\*{5}\d{4}$/)
const fullAccountNumberSchema = z.string().regex(/^\d{4,17}$/)

const makeBankDataSchema = (account_number: z.ZodString) =>
  z.strictObject({
    routing_number: z.string(),
    account_number,
    account_type: z.enum(bankAccountTypes),
  })

const sharedPaykeyFields = {
  id: z.uuid(),
  label: z.string(),
  source: z.enum(paykeySources),
  status: z.enum(paykeyStatuses),
  created_at: timestampSchema,
  updated_at: timestampSchema,
  paykey: maskedTokenSchema,
  config: z.strictObject({
    sandbox_outcome: z.enum(paykeyOutcomes),
    processing_method: z.enum(processingMethods),
  }),
  customer_id: z.uuid(),
  institution_name: z.string().nullable(),
  status_details: z.strictObject({
    message: z.string(),
    reason: z.enum(statusReasons),
    source: z.enum(statusSources),
    code: z.string().nullable(),
    changed_at: timestampSchema,
  }),
  expires_at: timestampSchema,
  bank_data: makeBankDataSchema(maskedAccountNumberSchema),
  external_id: z.string().nullable(),
  unblock_eligible: z.boolean().nullable(),
}

const paykeyFields = {
  ...sharedPaykeyFields,
  metadata: z.record(z.string(), z.string()),
  // `account_balance` is in cents. It stays null for a paykey made from bank details alone.
  balance: z.strictObject({
    status: z.enum(balanceStatuses),
    account_balance: z.int().nullable(),
    updated_at: timestampSchema.nullable(),
  }),
}

export const paykeySchema = z
  .strictObject(paykeyFields)
  .meta({ id: 'Paykey', description: 'A paykey; token and account number are masked.' })

export const revealedPaykeySchema = z
  .strictObject({ ...paykeyFields, paykey: fullTokenSchema })
  .meta({
    id: 'RevealedPaykey',
    description: 'A paykey with its full token; the account number is masked.',
  })

export const unmaskedPaykeySchema = z
  .strictObject({
    ...paykeyFields,
    paykey: fullTokenSchema,
    bank_data: makeBankDataSchema(fullAccountNumberSchema),
  })
  .meta({
    id: 'UnmaskedPaykey',
    description: 'A paykey with its full token and its full account number.',
  })

export const paykeySummarySchema = z
  .strictObject(sharedPaykeyFields)
  .meta({ id: 'PaykeySummary', description: 'A paykey as a list shows it.' })

const verificationDecisionSchema = z.enum(['accept', 'reject', 'review'])

const findingFields = {
  decision: verificationDecisionSchema,
  codes: z.array(z.string()),
  reason: z.string().nullable(),
}

/**
 * Result of verifying a bank account (provider-facts 2.9). `name_match` compares the account holder
 * that an aggregator reports with the customer. `account_validation` is about a bank account linked
 * by its numbers alone. A skipped verification has neither.
 */
const verificationSchema = z
  .strictObject({
    id: z.uuid(),
    decision: verificationDecisionSchema,
    messages: z.record(z.string(), z.string()),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    breakdown: z.strictObject({
      name_match: z
        .strictObject({
          ...findingFields,
          names_on_account: z.array(z.string()),
          matched_name: z.string().nullable(),
          customer_name: z.string(),
          correlation_score: z.number().min(0).max(1),
        })
        .optional(),
      account_validation: z.strictObject(findingFields).optional(),
    }),
  })
  .meta({
    id: 'PaykeyVerification',
    description: 'What a verification of a paykey found, and what it concluded.',
  })

export const paykeyReviewSchema = z
  .strictObject({ paykey_details: paykeySchema, verification_details: verificationSchema })
  .meta({ id: 'PaykeyReview', description: 'A paykey and the evidence of its verification.' })

export type Paykey = z.infer<typeof paykeySchema>
export type PaykeySummary = z.infer<typeof paykeySummarySchema>
export type PaykeyStatus = Paykey['status']
export type PaykeyConfig = Paykey['config']
export type PaykeySource = Paykey['source']
export type Verification = z.infer<typeof verificationSchema>

export const makePaykeyToken = (): string =>
  `${randomBytes(4).toString('hex')}.02.${randomBytes(32).toString('hex')}`

/**
 * Returns the masked token: the first three characters, the version number and the last three
 * characters. The provider masks tokens in this way (observed).
 */
export function maskToken(token: string): string {
  const [head = '', version = '', tail = ''] = token.split('.')
  return `${head.slice(0, 3)}***.${version}.******${tail.slice(-3)}`
}

export const maskAccountNumber = (accountNumber: string): string =>
  `*****${accountNumber.slice(-4)}`
