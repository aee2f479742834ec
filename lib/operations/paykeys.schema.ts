import * as z from 'zod'
import { flag, id, lastFour, maybe, maybeAmount, maybeTimestamp, metadata, statusDetails, text, words } from './common.schema'
import { paykeySources, paykeyStatuses } from './enumerations'
import { breakdownOf, finding, messages } from './evidence.schema'
import { oneOf, paging, shortText, someOf, timeBound, yesNo } from './filter.schema'
import { reason } from './reason.schema'

/** A paykey as a list shows it: no metadata, no balance, no token (provider facts 1.3). */
export const paykeySummary = z.object({
  id,
  label: text,
  source: text,
  status: z.string(),
  status_details: statusDetails,
  customer_id: text,
  institution_name: text,
  expires_at: maybeTimestamp,
  bank_data: maybe(z.object({ account_number: lastFour, account_type: text })),
  config: maybe(z.object({ sandbox_outcome: text, processing_method: text })),
  unblock_eligible: flag,
  external_id: text,
  created_at: maybeTimestamp,
  updated_at: maybeTimestamp,
})

/** A paykey in a list. */
export type PaykeySummary = z.output<typeof paykeySummary>

/** A paykey without its token; the account number is cut to four digits here too (interface document, "Paykey"). */
export const paykey = paykeySummary.extend({
  balance: maybe(z.object({ status: text, account_balance: maybeAmount, updated_at: maybeTimestamp })),
  metadata,
})

/** A paykey as the browser sees it. */
export type Paykey = z.output<typeof paykey>

/** The numbers of the bank account behind a paykey, and which paykey it is. The token is no part of it: nothing on a screen needs it. */
export const unmaskedPaykey = z.object({
  id,
  label: text,
  bank_data: maybe(z.object({ routing_number: text, account_number: text, account_type: text })),
})

/** A paykey's bank account unmasked. */
export type UnmaskedPaykey = z.output<typeof unmaskedPaykey>

/** The full token, which pays. For the server alone: it puts the token into a payment and forgets it. */
export const revealedPaykey = z.object({ id, paykey: z.string().min(1) })

/**
 * A paykey with the evidence of its verification (provider facts 2.9): `name_match` where an aggregator named the holders of the account,
 * `account_validation` where bank details were typed in.
 */
export const paykeyReview = z.object({
  paykey_details: paykey,
  verification_details: maybe(
    z.object({
      id: text,
      decision: text,
      messages,
      breakdown: breakdownOf(finding.extend({ names_on_account: words, matched_name: text, customer_name: text })),
      created_at: maybeTimestamp,
      updated_at: maybeTimestamp,
    }),
  ),
})

/** A paykey with its evidence. */
export type PaykeyReview = z.output<typeof paykeyReview>

/** Every filter of the list (provider facts 1.3). `unblock_eligible`: true for one unblock left, false for blocked for good. */
export const paykeysFilter = z.strictObject({
  ...paging(['created_at', 'expires_at', 'institution_name'], 'created_at'),
  customer_id: id.optional(),
  status: someOf(paykeyStatuses),
  source: someOf(paykeySources),
  unblock_eligible: yesNo,
  search_text: shortText,
  created_from: timeBound,
  created_to: timeBound,
})

const one = z.strictObject({ id })

/** What each paykey operation carries. */
export const paykeySchemas = {
  'paykeys.list': { input: paykeysFilter, output: z.array(paykeySummary) },
  'paykeys.get': { input: one, output: paykey },
  'paykeys.unmask': { input: one, output: unmaskedPaykey },
  'paykeys.reveal': { input: one, output: revealedPaykey },
  'paykeys.review': { input: one, output: paykeyReview },
  'paykeys.cancel': { input: z.strictObject({ id, reason }), output: paykey },
  'paykeys.decide': { input: z.strictObject({ id, status: oneOf(['active', 'rejected']) }), output: paykey },
  'paykeys.refresh_review': { input: one, output: paykey },
  'paykeys.refresh_balance': { input: one, output: paykey },
  'paykeys.unblock': { input: one, output: paykey },
}
