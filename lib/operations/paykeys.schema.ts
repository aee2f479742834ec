import * as z from 'zod'
import {
  createBreakdown,
  finding,
  flag,
  id,
  idInput,
  lastFour,
  maybe,
  maybeAmount,
  maybeId,
  maybeTimestamp,
  messages,
  metadata,
  statusDetails,
  text,
  textList,
  word,
} from './common.schema'
import { bankAccountTypes, paykeyOutcomes, paykeySources, paykeyStatuses } from './enumerations'
import {
  accountNumber,
  createPagingFields,
  createVerificationConfig,
  externalId,
  metadataInput,
  oneOf,
  queryBoolean,
  requiredText,
  routingNumber,
  shortText,
  someOf,
  timeBound,
} from './input.schema'
import { reason } from './reason.schema'

/** A paykey as a list shows it: no metadata, no balance, no token (provider facts 1.3). */
const paykeySummary = z.object({
  id,
  label: text,
  source: text,
  status: word,
  status_details: statusDetails,
  customer_id: maybeId,
  institution_name: text,
  expires_at: maybeTimestamp,
  bank_data: maybe(z.object({ account_number: lastFour, account_type: text })),
  config: maybe(z.object({ sandbox_outcome: text, processing_method: text })),
  unblock_eligible: flag,
  external_id: text,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

export type PaykeySummary = z.output<typeof paykeySummary>

/** A paykey without its token. Only the last four digits of the account number remain (interface document, "Paykey"). */
export const paykey = paykeySummary.extend({
  balance: maybe(z.object({ status: text, account_balance: maybeAmount, updated_at: maybeTimestamp })),
  metadata,
})

export type Paykey = z.output<typeof paykey>

/** The routing number and account number of a paykey, with its id and label. The token is left out, because no screen needs it. */
const unmaskedPaykey = z.object({
  id,
  label: text,
  bank_data: maybe(z.object({ routing_number: text, account_number: text, account_type: text })),
})

/** The full token, with which payments can be made. Only the server reads it: it puts the token into a payment and does not store it. */
const revealedPaykey = z.object({ id, paykey: z.string().min(1) })

/**
 * A paykey with the evidence of its verification (provider facts 2.9). The module of the evidence is `name_match` if an aggregator returned
 * the account's holders, and `account_validation` if the bank details were typed in.
 */
const paykeyReview = z.object({
  paykey_details: paykey,
  verification_details: maybe(
    z.object({
      id: text,
      decision: text,
      messages,
      breakdown: createBreakdown(finding.extend({ names_on_account: textList, matched_name: text, customer_name: text })),
      created_at: maybeTimestamp,
      updated_at: maybeTimestamp,
    }),
  ),
})

export type PaykeyReview = z.output<typeof paykeyReview>

/** All filters of the list (provider facts 1.3). `unblock_eligible`: true if one unblock is left, false if permanently blocked. */
const paykeysFilter = z.strictObject({
  ...createPagingFields(['created_at', 'expires_at', 'institution_name'], 'created_at'),
  customer_id: id.optional(),
  status: someOf(paykeyStatuses),
  source: someOf(paykeySources),
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
  'paykeys.cancel': { input: z.strictObject({ id, reason }), output: paykey },
  'paykeys.decide': { input: z.strictObject({ id, status: oneOf(['active', 'rejected']) }), output: paykey },
  'paykeys.refresh_review': { input: idInput, output: paykey },
  'paykeys.refresh_balance': { input: idInput, output: paykey },
  'paykeys.unblock': { input: idInput, output: paykey },
}

const linkFields = { customer_id: id, config: createVerificationConfig(paykeyOutcomes), external_id: externalId.optional() }

const typedFields = { ...linkFields, routing_number: routingNumber, account_type: oneOf(bankAccountTypes), metadata: metadataInput }

const aggregatorToken = requiredText(2_000, 'Paste the token of the aggregator.')

/**
 * A token with which the provider's widget connects a bank account for one customer. It is valid for hours, so it is never stored (provider
 * facts 1.2).
 */
const bridgeToken = z.object({ bridge_token: z.string().min(1) })

/**
 * Schemas of the bridge operations. The service returns a new paykey with its full token. Our schema has no field for it, so it never
 * leaves the server.
 */
export const bridgeSchemas = {
  'bridge.initialize': { input: z.strictObject(linkFields), output: bridgeToken },
  'bridge.bank_account': { input: z.strictObject({ ...typedFields, account_number: accountNumber }), output: paykey },
  'bridge.tan': { input: z.strictObject({ ...typedFields, tan: accountNumber }), output: paykey },
  'bridge.plaid': { input: z.strictObject({ ...linkFields, plaid_token: aggregatorToken, metadata: metadataInput }), output: paykey },
  'bridge.quiltt': { input: z.strictObject({ ...linkFields, quiltt_token: aggregatorToken, metadata: metadataInput }), output: paykey },
  'bridge.speedchex': {
    input: z.strictObject({ ...linkFields, speedchex_token: aggregatorToken, metadata: metadataInput }),
    output: paykey,
  },
}
