import { type AmountUnit, minorUnits } from '@/lib/money'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** A payment as far as these rules look at it. */
export type Waiting = Pick<PaymentSummary, 'payment_type' | 'status' | 'status_details' | 'amount'>

/** The states in which a payment waits for its paykey (provider facts 3.1): it was not looked at yet, or is held. */
export const waitingStates = ['created', 'on_hold'] as const

/** How many payments there are and what they come to, in cents; `unreadable` ones have an amount nobody could read and are in no sum. */
export type PaymentSum = { count: number; charges: number; payouts: number; unreadable: number }

/** Sums payments up, charges and payouts apart: one is money in and the other money out, and together they mean nothing. */
export function sumOf(payments: readonly Waiting[], unit: AmountUnit): PaymentSum {
  const sum: PaymentSum = { count: payments.length, charges: 0, payouts: 0, unreadable: 0 }
  for (const { payment_type, amount } of payments) {
    const minor = minorUnits(amount, unit)
    if (minor === null) sum.unreadable += 1
    else if (payment_type === 'payout') sum.payouts += minor
    else sum.charges += minor
  }
  return sum
}

/** What may be done to a paykey that its waiting payments hang on. */
export type PaykeyTurn = 'approve' | 'reject' | 'cancel' | 'unblock'

/** What is expected to become of a waiting payment, as a word and a sentence. */
export type Effect = { moves: 'goes_on' | 'stays' | 'fails'; text: string }

const reviewReasons = ['watchtower_review', 'require_review']

/** Whether a payment is held for the review of its paykey or customer, and not by a person or a limit. */
const heldForReview = ({ status, status_details }: Waiting) =>
  status === 'on_hold' && reviewReasons.includes(status_details?.reason?.toLowerCase() ?? '')

/**
 * What a turn of its paykey does to a payment that waits on it. Only a hold for the review ends with the review; one by a person, a limit or a
 * rule stays until it is released. A payment that comes to its check on a paykey that may not be used fails (provider facts 3.1). That a
 * decided review moves payments by itself is nowhere written: it is what the sandbox does, so screens say "expected".
 */
export function effectOn(payment: Waiting, turn: PaykeyTurn): Effect {
  const usable = turn === 'approve' || turn === 'unblock'
  if (payment.status === 'on_hold' && !heldForReview(payment)) {
    return usable
      ? { moves: 'stays', text: 'Stays on hold: it is held for another reason.' }
      : { moves: 'stays', text: 'Stays on hold, and fails once it is released.' }
  }
  if (!usable) return { moves: 'fails', text: 'Fails: the bank account cannot be used.' }
  return { moves: 'goes_on', text: 'Goes on to the bank network on its payment date.' }
}

/** Waiting payments by what will become of them, in the order people care. */
export function effectsOf<P extends Waiting>(payments: readonly P[], turn: PaykeyTurn): { moves: Effect['moves']; payments: P[] }[] {
  const order: readonly Effect['moves'][] = ['goes_on', 'fails', 'stays']
  return order
    .map((moves) => ({ moves, payments: payments.filter((payment) => effectOn(payment, turn).moves === moves) }))
    .filter((group) => group.payments.length > 0)
}

/** Whether a payment came to nothing because of R29, be it the return itself or one that met the block after it (provider facts 3.1). */
export function lostToR29({ status, status_details }: Pick<Waiting, 'status' | 'status_details'>): boolean {
  return (status === 'failed' || status === 'reversed') && status_details?.code === 'R29'
}
