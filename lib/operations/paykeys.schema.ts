import * as z from 'zod'
import {
  codeMessages,
  createBreakdownSchema,
  id,
  idInput,
  maskedLastFour,
  metadata,
  openEnumValue,
  optionalAmount,
  optionalBoolean,
  optionalId,
  optionalOf,
  optionalText,
  optionalTimestamp,
  statusDetails,
  textList,
  verificationFinding,
} from './common.schema'
import {
  bankAccountTypes,
  paykeySandboxOutcomes,
  paykeySources,
  paykeyStatuses,
} from './enumerations'
import {
  accountNumber,
  createPagingFields,
  createRequiredTextSchema,
  createVerificationConfigSchema,
  externalId,
  metadataInput,
  oneOf,
  optionalListOf,
  queryBoolean,
  routingNumber,
  shortText,
  timeBound,
} from './input.schema'
import { decisionReasonInput } from './reason.schema'

/** In lists, the service leaves out metadata, balance and token (provider facts 1.3). */
const paykeySummary = z.object({
  id,
  label: optionalText,
  source: optionalText,
  status: openEnumValue,
  status_details: statusDetails,
  customer_id: optionalId,
  institution_name: optionalText,
  expires_at: optionalTimestamp,
  bank_data: optionalOf(z.object({ account_number: maskedLastFour, account_type: optionalText })),
  config: optionalOf(z.object({ sandbox_outcome: optionalText, processing_method: optionalText })),
  unblock_eligible: optionalBoolean,
  external_id: optionalText,
  created_at: optionalTimestamp,
  updated_at: optionalTimestamp,
})

export type PaykeySummary = z.output<typeof paykeySummary>

/** Without the token, and with only four digits of the number (interface document, "Paykey"). */
export const paykey = paykeySummary.extend({
  balance: optionalOf(
    z.object({
      status: optionalText,
      account_balance: optionalAmount,
      updated_at: optionalTimestamp,
    }),
  ),
  metadata,
})

export type Paykey = z.output<typeof paykey>

/** The token is left out, because no screen needs it. */
const unmaskedPaykey = z.object({
  id,
  label: optionalText,
  bank_data: optionalOf(
    z.object({
      routing_number: optionalText,
      account_number: optionalText,
      account_type: optionalText,
    }),
  ),
})

/** Payments can be made with the full token. Only the server reads it. */
const revealedPaykey = z.object({ id, paykey: z.string().min(1) })

/**
 * Provider facts 2.9. `breakdown` has the module `name_match` if an aggregator returned the names
 * of the account holders, or `account_validation` if a person typed the bank details.
 */
const paykeyReview = z.object({
  paykey_details: paykey,
  verification_details: optionalOf(
    z.object({
      id: optionalText,
      decision: optionalText,
      messages: codeMessages,
      breakdown: createBreakdownSchema(
        verificationFinding.extend({
          names_on_account: textList,
          matched_name: optionalText,
          customer_name: optionalText,
        }),
      ),
      created_at: optionalTimestamp,
      updated_at: optionalTimestamp,
    }),
  ),
})

export type PaykeyReview = z.output<typeof paykeyReview>

/** Provider facts 1.3. `unblock_eligible` true finds blocked paykeys that can be unblocked once. */
const paykeysFilter = z.strictObject({
  ...createPagingFields(['created_at', 'expires_at', 'institution_name'], 'created_at'),
  customer_id: id.optional(),
  status: optionalListOf(paykeyStatuses),
  source: optionalListOf(paykeySources),
  unblock_eligible: queryBoolean,
  search_text: shortText,
  created_from: timeBound,
  created_to: timeBound,
})

export const paykeySchemas = {
  'paykeys.list': { input: paykeysFilter, output: z.array(paykeySummary) },
  'paykeys.get': { input: idInput, output: paykey },
  'paykeys.unmask': { input: idInput, output: unmaskedPaykey },
  'paykeys.reveal': { input: idInput, output: revealedPaykey },
  'paykeys.review': { input: idInput, output: paykeyReview },
  'paykeys.cancel': { input: z.strictObject({ id, reason: decisionReasonInput }), output: paykey },
  'paykeys.decide': {
    input: z.strictObject({ id, status: oneOf(['active', 'rejected']) }),
    output: paykey,
  },
  'paykeys.refresh_review': { input: idInput, output: paykey },
  'paykeys.refresh_balance': { input: idInput, output: paykey },
  'paykeys.unblock': { input: idInput, output: paykey },
}

const bridgeFields = {
  customer_id: id,
  config: createVerificationConfigSchema(paykeySandboxOutcomes),
  external_id: externalId.optional(),
}

const manualBankFields = {
  ...bridgeFields,
  routing_number: routingNumber,
  account_type: oneOf(bankAccountTypes),
  metadata: metadataInput,
}

const aggregatorToken = createRequiredTextSchema(2_000, 'Paste the token of the aggregator.')

/** Whoever has the token can use it for hours, so Paydesk never stores it (provider facts 1.2). */
const bridgeToken = z.object({ bridge_token: z.string().min(1) })

/** The response has a full token. Our output has no field for it, so it never leaves the server. */
export const bridgeSchemas = {
  'bridge.initialize': { input: z.strictObject(bridgeFields), output: bridgeToken },
  'bridge.bank_account': {
    input: z.strictObject({ ...manualBankFields, account_number: accountNumber }),
    output: paykey,
  },
  'bridge.tan': {
    input: z.strictObject({ ...manualBankFields, tan: accountNumber }),
    output: paykey,
  },
  'bridge.plaid': {
    input: z.strictObject({
      ...bridgeFields,
      plaid_token: aggregatorToken,
      metadata: metadataInput,
    }),
    output: paykey,
  },
  'bridge.quiltt': {
    input: z.strictObject({
      ...bridgeFields,
      quiltt_token: aggregatorToken,
      metadata: metadataInput,
    }),
    output: paykey,
  },
  'bridge.speedchex': {
    input: z.strictObject({
      ...bridgeFields,
      speedchex_token: aggregatorToken,
      metadata: metadataInput,
    }),
    output: paykey,
  },
}
