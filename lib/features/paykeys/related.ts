import { known, type Loadable } from '@/lib/domain/loadable'
import { kindOf } from '@/lib/domain/payment-kind'
import { type AmountUnit, minorUnits } from '@/lib/money'
import type { Paykey, PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** A payment as far as these rules look at it. */
export type Waiting = Pick<PaymentSummary, 'payment_type' | 'status' | 'status_details' | 'amount'>

/** The states in which a payment waits for its paykey (provider facts 3.1): it was not looked at yet, or is held. */
export const waitingStates = ['created', 'on_hold'] as const

/**
 * How many payments there are and what they come to, in cents; `unreadable` ones have an amount or a kind nobody
 * could read and are in no sum.
 */
export type PaymentSum = { count: number; charges: number; payouts: number; unreadable: number }

/** Sums payments up, charges and payouts apart: one is money in and the other money out, and together they mean nothing. */
export function sumOf(payments: readonly Waiting[], unit: AmountUnit): PaymentSum {
  const sum: PaymentSum = { count: payments.length, charges: 0, payouts: 0, unreadable: 0 }
  for (const { payment_type, amount } of payments) {
    const minor = minorUnits(amount, unit)
    if (minor === null || kindOf(payment_type) === null) sum.unreadable += 1
    else if (payment_type === 'payout') sum.payouts += minor
    else sum.charges += minor
  }
  return sum
}

/** What may be done to a paykey that its waiting payments hang on. */
type DecisionName = 'approve' | 'reject' | 'cancel' | 'unblock'

/** What is expected to become of a waiting payment, as a word and a sentence. */
type Effect = { moves: 'goes_on' | 'stays' | 'fails'; text: string }

const reviewReasons = ['watchtower_review', 'require_review']

/** Whether a payment is held for the review of its paykey or customer, and not by a person or a limit. */
const heldForReview = ({ status, status_details }: Waiting) =>
  status === 'on_hold' && reviewReasons.includes(status_details?.reason?.toLowerCase() ?? '')

const isUsableAfter = (decision: DecisionName) => decision === 'approve' || decision === 'unblock'

/**
 * What a turn of its paykey does to a payment that waits on it. Only a hold for the review ends with the review; one by a person, a limit or a
 * rule stays until it is released, and so does every hold when a block ends. A payment that comes to its check on a paykey that may not be used
 * fails (provider facts 3.1). That a decided review moves payments automatically is nowhere written: it is what the sandbox does, so screens say
 * "expected".
 */
export function effectOn(payment: Waiting, decision: DecisionName): Effect {
  const usable = isUsableAfter(decision)
  if (payment.status === 'on_hold' && (decision === 'unblock' || !heldForReview(payment))) {
    return usable
      ? { moves: 'stays', text: 'Stays on hold until released.' }
      : { moves: 'stays', text: 'Stays on hold and fails once released.' }
  }
  if (!usable) return { moves: 'fails', text: 'Fails: the bank account is not usable.' }
  return { moves: 'goes_on', text: 'Goes to the bank network on its payment date, or the next banking day.' }
}

/** Waiting payments by what will become of them, in the order people care. */
export function effectsOf<P extends Waiting>(payments: readonly P[], decision: DecisionName): { moves: Effect['moves']; payments: P[] }[] {
  const order: readonly Effect['moves'][] = ['goes_on', 'fails', 'stays']
  return order
    .map((moves) => ({ moves, payments: payments.filter((payment) => effectOn(payment, decision).moves === moves) }))
    .filter((group) => group.payments.length > 0)
}

const staysText = (count: number, decision: DecisionName): string => {
  const [stay, released, fail] = count === 1 ? ['stays', 'it is released', 'fails'] : ['stay', 'they are released', 'fail']
  return isUsableAfter(decision) ? `${count} ${stay} on hold until ${released}` : `${count} ${stay} on hold and ${fail} once ${released}`
}

const movesText: Readonly<Record<Effect['moves'], (count: number, decision: DecisionName) => string>> = {
  goes_on: (count) => `${count} ${count === 1 ? 'goes' : 'go'} on`,
  fails: (count) => `${count} ${count === 1 ? 'fails' : 'fail'}`,
  stays: staysText,
}

/** In words how many go on, fail and stay after a turn of their paykey. */
export const expectedText = (payments: readonly Waiting[], decision: DecisionName): string =>
  `${effectsOf(payments, decision)
    .map((group) => movesText[group.moves](group.payments.length, decision))
    .join(', ')}.`

/** Whether a payment came to nothing because of R29, be it the return itself or one that met the block after it (provider facts 3.1). */
export function lostToR29({ status, status_details }: Pick<Waiting, 'status' | 'status_details'>): boolean {
  return (status === 'failed' || status === 'reversed') && status_details?.code === 'R29'
}

/**
 * Paykeys that seem to be on the same bank account: same bank, last four digits and kind. The list shows no more of a number than that, so two
 * accounts of one bank can share them; screens say "seems".
 */
export function alikeOf(found: readonly PaykeySummary[], paykey: Paykey): PaykeySummary[] {
  const digits = paykey.bank_data?.account_number
  if (!digits) return []
  return found.filter(
    (other) =>
      other.id !== paykey.id &&
      other.bank_data?.account_number === digits &&
      other.institution_name === paykey.institution_name &&
      other.bank_data?.account_type === paykey.bank_data?.account_type,
  )
}

/** Paykeys and payments that are looked at beside a paykey, at most. */
export const mostRead = 100

/** The search whose answer holds the paykeys that seem to be on the same account; null where the service shows no digits to search by. */
export function alikeFilter({ bank_data }: Paykey): { search_text: string; page_size: number } | null {
  const digits = bank_data?.account_number?.slice(-4)
  return digits ? { search_text: digits, page_size: mostRead } : null
}

/** Of what that search found, those that seem to be on the same account. */
export const alikeIn = (found: Loadable<readonly PaykeySummary[]>, paykey: Paykey): Loadable<readonly PaykeySummary[]> =>
  found.state === 'known' ? known(alikeOf(found.value, paykey), found.at, found.unread) : found
