import type { Paykey } from '@/lib/operations/paykeys.schema'
import { returnCode } from './return-codes'
import { isKnownStatus, statusWords } from './status'

/** Why a paykey is where it is: one plain line, what comes of it, what changes it and who can. */
export type PaykeyWhy = { line: string; follows: string; clears: string | null; who: string | null }

type Seen = Pick<Paykey, 'status' | 'status_details' | 'unblock_eligible'>

const decider = 'a reviewer or an admin'

const reasonWords: Readonly<Record<string, string>> = {
  ok: 'nothing stands against it',
  validating: 'the verification is running',
  require_review: 'the verification leaves it to a person',
  watchtower_review: 'the provider’s risk engine wants a person to look',
  failed_verification: 'the verification failed',
  cancel_request: 'it was cancelled on request',
  user_request: 'a person asked for it',
  disputed: 'a payment was disputed',
  closed_bank_account: 'the bank account is closed',
  invalid_bank_account: 'the bank does not know the account',
  frozen_bank_account: 'the bank account is frozen',
  blocked_by_system: 'the service blocked it after a return',
}

/** The reason of a status in words; the raw word where it is not known, null where none was given. */
export function paykeyReasonText(reason: string | undefined): string | null {
  if (!reason) return null
  const word = reason.toLowerCase()
  return Object.hasOwn(reasonWords, word) ? (reasonWords[word] ?? null) : reason
}

function whyBlocked({ status_details, unblock_eligible }: Seen): PaykeyWhy {
  const code = status_details?.code
  const meaning = returnCode(code)?.meaning
  const after = code ? `a return with ${code}${meaning ? `: ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}` : ''}` : 'a return'
  const line = `Blocked after ${after}`
  const follows = 'Payments on it fail at once, and the bank account cannot be connected anew.'
  if (unblock_eligible === true) {
    return { line, follows, clears: 'The customer’s bank allows the originator; then it is unblocked, once.', who: decider }
  }
  if (unblock_eligible === false) {
    return { line, follows, clears: 'Nothing here: the customer connects another bank account.', who: 'an operator' }
  }
  return { line, follows, clears: 'The service does not say whether it may be unblocked: ask the provider.', who: decider }
}

const byStatus: Readonly<Record<string, (seen: Seen) => PaykeyWhy>> = {
  review: () => ({
    line: 'Waits for a person to decide',
    follows: 'Payments on it are held until then.',
    clears: 'Approve it or reject it.',
    who: decider,
  }),
  pending: () => ({
    line: 'Being verified',
    follows: 'Payments on it wait until that is done.',
    clears: 'The verification ends by itself.',
    who: null,
  }),
  active: () => ({ line: 'May be used', follows: 'Charges and payouts can be made on it.', clears: null, who: null }),
  blocked: whyBlocked,
  rejected: () => ({
    line: 'Refused for good',
    follows: 'No payment can be made on it.',
    clears: 'The customer connects another bank account.',
    who: 'an operator',
  }),
  inactive: () => ({
    line: 'Switched off for good',
    follows: 'No payment can be made on it.',
    clears: 'The customer connects the bank account anew.',
    who: 'an operator',
  }),
}

/** Explains a paykey's state (provider facts 3.3). An unknown one is told as unknown. */
export function paykeyWhy(paykey: Seen): PaykeyWhy {
  const explain = isKnownStatus('paykey', paykey.status) ? byStatus[paykey.status] : undefined
  if (explain) return explain(paykey)
  const { meaning } = statusWords('paykey', paykey.status)
  return { line: `The service reports “${paykey.status}”`, follows: meaning, clears: 'Ask the provider what it means.', who: null }
}

/** How a bank account was learnt, in words; the raw word where it is not known. */
export const sourceWords: Readonly<Record<string, string>> = {
  bank_account: 'Typed bank details',
  plaid: 'Plaid',
  quiltt: 'Quiltt',
  mx: 'MX',
  tan: 'Tokenised account number',
  provider: 'The provider',
}

/** The source of a paykey in words. */
export const paykeySourceText = (source: string | undefined): string | undefined =>
  source !== undefined && Object.hasOwn(sourceWords, source) ? sourceWords[source] : source

/** Whether the bank can be asked for the balance: numbers that were typed in give no right to look into an account (provider facts 2.8). */
export const readsBalance = (source: string | undefined): boolean => source !== 'bank_account' && source !== 'tan'
