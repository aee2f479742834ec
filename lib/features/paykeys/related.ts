import type { ReadResult } from '@/lib/domain/check'
import { parsePaymentKind } from '@/lib/domain/payment-kind'
import { type AmountUnit, toMinorUnits } from '@/lib/money'
import type { Paykey, PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** The fields of a payment that these rules need. */
export type WaitingPayment = Pick<PaymentSummary, 'payment_type' | 'status' | 'status_details' | 'amount'>

/** States in which a payment waits for its paykey (provider facts 3.1): not checked yet, or held. */
export const waitingStates = ['created', 'on_hold'] as const

/** The number of payments, and the sums in cents. `unreadable` payments have an unknown amount or kind and are in neither sum. */
export type PaymentSum = { count: number; charges: number; payouts: number; unreadable: number }

/** Returns separate sums of charges and payouts: one is incoming money, the other outgoing money. */
export function sumWaitingPayments(payments: readonly WaitingPayment[], unit: AmountUnit): PaymentSum {
  const sum: PaymentSum = { count: payments.length, charges: 0, payouts: 0, unreadable: 0 }
  for (const { payment_type, amount } of payments) {
    const minor = toMinorUnits(amount, unit)
    if (minor === null || parsePaymentKind(payment_type) === null) sum.unreadable += 1
    else if (payment_type === 'payout') sum.payouts += minor
    else sum.charges += minor
  }
  return sum
}

/** Decisions about a paykey that affect its waiting payments. */
type DecisionName = 'approve' | 'reject' | 'cancel' | 'unblock'

/** The expected effect of a decision on a waiting payment, as a code and a sentence. */
type Effect = { moves: 'goes_on' | 'stays' | 'fails'; text: string }

const reviewHoldReasons = ['watchtower_review', 'require_review']

/** True if a payment is held because its paykey or customer is in review, and not by a person or because of a limit. */
const isHeldForReview = ({ status, status_details }: WaitingPayment) =>
  status === 'on_hold' && reviewHoldReasons.includes(status_details?.reason?.toLowerCase() ?? '')

const isUsableAfter = (decision: DecisionName) => decision === 'approve' || decision === 'unblock'

/**
 * Returns the expected effect of a decision about a paykey on a payment that waits for it. The decision of a review ends only the holds for
 * that review. A hold by a person, a limit or a rule stays until it is released. After an unblock, every hold stays. A payment that the
 * service checks on an unusable paykey fails (provider facts 3.1). No document states that the decision releases payments, but the sandbox
 * does so. Therefore screens show "expected".
 */
export function toEffect(payment: WaitingPayment, decision: DecisionName): Effect {
  const isUsable = isUsableAfter(decision)
  if (payment.status === 'on_hold' && (decision === 'unblock' || !isHeldForReview(payment))) {
    return isUsable
      ? { moves: 'stays', text: 'Stays on hold until released.' }
      : { moves: 'stays', text: 'Stays on hold and fails once released.' }
  }
  if (!isUsable) return { moves: 'fails', text: 'Fails: the bank account is not usable.' }
  return { moves: 'goes_on', text: 'Goes to the bank network on its payment date, or the next banking day.' }
}

/** Returns waiting payments grouped by their expected effect, in display order. */
export function groupByEffect<P extends WaitingPayment>(
  payments: readonly P[],
  decision: DecisionName,
): { moves: Effect['moves']; payments: P[] }[] {
  const effectOrder: readonly Effect['moves'][] = ['goes_on', 'fails', 'stays']
  return effectOrder
    .map((moves) => ({ moves, payments: payments.filter((payment) => toEffect(payment, decision).moves === moves) }))
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

/** Returns a sentence with the number of payments that continue, fail and stay on hold. */
export const expectedText = (payments: readonly WaitingPayment[], decision: DecisionName): string =>
  `${groupByEffect(payments, decision)
    .map((group) => movesText[group.moves](group.payments.length, decision))
    .join(', ')}.`

/** True if a payment failed because of R29: it was returned, or its paykey was blocked after such a return (provider facts 3.1). */
export function hasFailedWithR29({ status, status_details }: Pick<WaitingPayment, 'status' | 'status_details'>): boolean {
  return (status === 'failed' || status === 'reversed') && status_details?.code === 'R29'
}

/**
 * Returns the paykeys that seem to be on the same bank account, with the same bank, last four digits and type. The list has no other
 * digits, so two accounts at one bank can match. Therefore screens show "seems".
 */
export function findSameAccount(found: readonly PaykeySummary[], paykey: Paykey): PaykeySummary[] {
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

/** Maximum number of related paykeys to read, and of related payments. */
export const maxRelated = 100

/** Returns the filter for paykeys that seem to be on the same bank account; null if the service sends no digits. */
export function toSameAccountFilter({ bank_data }: Paykey): { search_text: string; page_size: number } | null {
  const digits = bank_data?.account_number?.slice(-4)
  return digits ? { search_text: digits, page_size: maxRelated } : null
}

/** Returns only those results of the search that seem to be on the same bank account. */
export const filterSameAccount = (found: ReadResult<readonly PaykeySummary[]>, paykey: Paykey): ReadResult<readonly PaykeySummary[]> => ({
  ...found,
  data: found.data && findSameAccount(found.data, paykey),
})
