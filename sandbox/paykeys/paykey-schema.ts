import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { processingMethods } from '@/sandbox/customers/customer-schema'
import { timestamp } from '@/sandbox/http/read-body'
import { statusReasons, statusSources } from '@/sandbox/payments/payment-values'

/** States of a paykey (provider-facts 2.1). */
export const paykeyStatuses = ['pending', 'active', 'inactive', 'rejected', 'review', 'blocked'] as const

/** Origin of the bank details: `bank_account` and `tan` were entered, the others come from an aggregator or from the provider itself. */
export const paykeySources = ['bank_account', 'provider', 'mx', 'plaid', 'tan', 'quiltt'] as const

export const accountTypes = ['checking', 'savings'] as const

/** Verification results that a test can force. With `standard` the findings decide. */
export const paykeyOutcomes = ['standard', 'active', 'review', 'rejected'] as const

const balanceStatuses = ['pending', 'completed', 'failed'] as const

// Masked values are patterns, so that an unmasked value fails the schema.
export const maskedToken = z.string().regex(/^[0-9a-f]{3}\*{3}\.\d{2}\.\*{6}[0-9a-f]{3}$/)
export const fullToken = z.string().regex(/^[0-9a-f]{8}\.\d{2}\.[0-9a-f]{64}$/)
const maskedNumber = z.string().regex(/^\*{5}\d{4}$/)
const fullNumber = z.string().regex(/^\d{4,17}$/)

const bankData = (account_number: z.ZodString) =>
  z.strictObject({ routing_number: z.string(), account_number, account_type: z.enum(accountTypes) })

const shared = {
  id: z.uuid(),
  label: z.string(),
  source: z.enum(paykeySources),
  status: z.enum(paykeyStatuses),
  created_at: timestamp,
  updated_at: timestamp,
  paykey: maskedToken,
  config: z.strictObject({ sandbox_outcome: z.enum(paykeyOutcomes), processing_method: z.enum(processingMethods) }),
  customer_id: z.uuid(),
  institution_name: z.string().nullable(),
  status_details: z.strictObject({
    message: z.string(),
    reason: z.enum(statusReasons),
    source: z.enum(statusSources),
    code: z.string().nullable(),
    changed_at: timestamp,
  }),
  expires_at: timestamp,
  bank_data: bankData(maskedNumber),
  external_id: z.string().nullable(),
  unblock_eligible: z.boolean().nullable(),
}

const paykeyFields = {
  ...shared,
  metadata: z.record(z.string(), z.string()),
  // Whole cents; null until a bank returned a balance. For a paykey from bank details alone, it stays null.
  balance: z.strictObject({
    status: z.enum(balanceStatuses),
    account_balance: z.int().nullable(),
    updated_at: timestamp.nullable(),
  }),
}

/**
 * A paykey in API responses (interface document, "Paykey"). Its token is masked, and so is the account number except the last four digits.
 */
export const paykeySchema = z
  .strictObject(paykeyFields)
  .meta({ id: 'Paykey', description: 'A paykey; token and account number are masked.' })

export const revealedPaykeySchema = z
  .strictObject({ ...paykeyFields, paykey: fullToken })
  .meta({ id: 'RevealedPaykey', description: 'A paykey with its full token; the account number is masked.' })

export const unmaskedPaykeySchema = z
  .strictObject({ ...paykeyFields, paykey: fullToken, bank_data: bankData(fullNumber) })
  .meta({ id: 'UnmaskedPaykey', description: 'A paykey with its full token and its full account number.' })

export const paykeySummarySchema = z.strictObject(shared).meta({ id: 'PaykeySummary', description: 'A paykey as a list shows it.' })

const decision = z.enum(['accept', 'reject', 'review'])

const finding = { decision, codes: z.array(z.string()), reason: z.string().nullable() }

/**
 * Findings about a bank account (provider-facts 2.9). `name_match` is about the holder that an aggregator reports, `account_validation`
 * about an account from bank details alone.
 */
const verificationSchema = z
  .strictObject({
    id: z.uuid(),
    decision,
    messages: z.record(z.string(), z.string()),
    created_at: timestamp,
    updated_at: timestamp,
    breakdown: z.strictObject({
      name_match: z
        .strictObject({
          ...finding,
          names_on_account: z.array(z.string()),
          matched_name: z.string().nullable(),
          customer_name: z.string(),
          correlation_score: z.number().min(0).max(1),
        })
        .optional(),
      account_validation: z.strictObject(finding).optional(),
    }),
  })
  .meta({ id: 'PaykeyVerification', description: 'What a verification of a paykey found, and what it concluded.' })

export const paykeyReviewSchema = z
  .strictObject({ paykey_details: paykeySchema, verification_details: verificationSchema })
  .meta({ id: 'PaykeyReview', description: 'A paykey and the evidence of its verification.' })

export type Paykey = z.infer<typeof paykeySchema>
export type PaykeySummary = z.infer<typeof paykeySummarySchema>
export type PaykeyStatus = Paykey['status']
export type PaykeyConfig = Paykey['config']
export type PaykeySource = Paykey['source']
export type Verification = z.infer<typeof verificationSchema>

export const newToken = (): string => `${randomBytes(4).toString('hex')}.02.${randomBytes(32).toString('hex')}`

/** Returns the masked token: its first and last three characters, and the version in between (observed at the provider). */
export function maskToken(token: string): string {
  const [head = '', version = '', tail = ''] = token.split('.')
  return `${head.slice(0, 3)}***.${version}.******${tail.slice(-3)}`
}

export const maskAccountNumber = (accountNumber: string): string => `*****${accountNumber.slice(-4)}`
