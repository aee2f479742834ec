import type { ReadResult } from '@/lib/domain/check'
import { parsePaymentKind } from '@/lib/domain/payment-kind'
import { type AmountUnit, toMinorUnits } from '@/lib/money'
import type { Paykey, PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

export type WaitingPayment = Pick<
  PaymentSummary,
  'payment_type' | 'status' | 'status_details' | 'amount'
>

/** A payment waits for its paykey if it is not checked yet, or held (provider facts 3.1). */
export const waitingStates = ['created', 'on_hold'] as const

/** Sums are in cents. `unreadable` payments are in neither sum: unknown amount or type. */
export type PaymentSum = { count: number; charges: number; payouts: number; unreadable: number }

export function sumWaitingPayments(
  payments: readonly WaitingPayment[],
  unit: AmountUnit,
): PaymentSum {
  const sum: PaymentSum = { count: payments.length, charges: 0, payouts: 0, unreadable: 0 }
  for (const { payment_type, amount } of payments) {
    const minorUnits = toMinorUnits(amount, unit)
    if (minorUnits === null || parsePaymentKind(payment_type) === null) sum.unreadable += 1
    else if (payment_type === 'payout') sum.payouts += minorUnits
    else sum.charges += minorUnits
  }
  return sum
}

type PaykeyDecision = 'approve' | 'reject' | 'cancel' | 'unblock'

type PaymentEffect = { moves: 'goes_on' | 'stays' | 'fails'; text: string }

const reviewHoldReasons = ['watchtower_review', 'require_review']

/** False if a person or a limit holds the payment. */
const isHeldForReview = ({ status, status_details }: WaitingPayment) =>
  status === 'on_hold' && reviewHoldReasons.includes(status_details?.reason?.toLowerCase() ?? '')

const isPaykeyUsableAfter = (decision: PaykeyDecision) =>
  decision === 'approve' || decision === 'unblock'

/**
 * Expected effect on a payment that waits for the paykey:
 * - A hold for a review ends with an approval, a rejection or a cancellation, but not with an
 *   unblock.
 * - A hold by a person, a limit or a rule stays until someone releases the payment.
 * - A payment without a hold continues if the paykey is usable, and otherwise fails (provider facts
 *   3.1).
 * No document states these effects, but the sandbox behaves like this: screens say "expected".
 */
export function predictPaymentEffect(
  payment: WaitingPayment,
  decision: PaykeyDecision,
): PaymentEffect {
  const isUsable = isPaykeyUsableAfter(decision)
  if (payment.status === 'on_hold' && (decision === 'unblock' || !isHeldForReview(payment))) {
    return isUsable
      ? { moves: 'stays', text: 'Stays on hold until released.' }
      : { moves: 'stays', text: 'Stays on hold and fails once released.' }
  }
  if (!isUsable) return { moves: 'fails', text: 'Fails: the bank account is not usable.' }
  return {
    moves: 'goes_on',
    text: 'Goes to the bank network on its payment date, or the next banking day.',
  }
}

export function groupPaymentsByEffect<P extends WaitingPayment>(
  payments: readonly P[],
  decision: PaykeyDecision,
): { moves: PaymentEffect['moves']; payments: P[] }[] {
  const effectOrder: readonly PaymentEffect['moves'][] = ['goes_on', 'fails', 'stays']
  return effectOrder
    .map((moves) => ({
      moves,
      payments: payments.filter(
        (payment) => predictPaymentEffect(payment, decision).moves === moves,
      ),
    }))
    .filter((group) => group.payments.length > 0)
}

const formatStayOnHold = (count: number, decision: PaykeyDecision): string => {
  const [stay, released, fail] =
    count === 1 ? ['stays', 'it is released', 'fails'] : ['stay', 'they are released', 'fail']
  return isPaykeyUsableAfter(decision)
    ? `${count} ${stay} on hold until ${released}`
    : `${count} ${stay} on hold and ${fail} once ${released}`
}

const effectTextByKind: Readonly<
  Record<PaymentEffect['moves'], (count: number, decision: PaykeyDecision) => string>
> = {
  goes_on: (count) => `${count} ${count === 1 ? 'goes' : 'go'} on`,
  fails: (count) => `${count} ${count === 1 ? 'fails' : 'fail'}`,
  stays: formatStayOnHold,
}

export const formatExpectedEffects = (
  payments: readonly WaitingPayment[],
  decision: PaykeyDecision,
): string =>
  `${groupPaymentsByEffect(payments, decision)
    .map((group) => effectTextByKind[group.moves](group.payments.length, decision))
    .join(', ')}.`

/**
 * True if the payment was returned with R29, or if an R29 had blocked its paykey before (provider
 * facts 3.1).
 */
export function hasFailedWithR29({
  status,
  status_details,
}: Pick<WaitingPayment, 'status' | 'status_details'>): boolean {
  return (status === 'failed' || status === 'reversed') && status_details?.code === 'R29'
}

/**
 * Lists contain only the last four digits, so two different accounts at one bank can match.
 * Therefore screens say "possibly".
 */
export function findSameAccountPaykeys(
  foundPaykeys: readonly PaykeySummary[],
  paykey: Paykey,
): PaykeySummary[] {
  const accountNumber = paykey.bank_data?.account_number
  if (!accountNumber) return []
  return foundPaykeys.filter(
    (other) =>
      other.id !== paykey.id &&
      other.bank_data?.account_number === accountNumber &&
      other.institution_name === paykey.institution_name &&
      other.bank_data?.account_type === paykey.bank_data?.account_type,
  )
}

/** The most related paykeys, and the most related payments, that are read for a paykey. */
export const maxRelatedRecords = 100

export function toSameAccountFilter({
  bank_data,
}: Paykey): { search_text: string; page_size: number } | null {
  const lastFourDigits = bank_data?.account_number?.slice(-4)
  return lastFourDigits ? { search_text: lastFourDigits, page_size: maxRelatedRecords } : null
}

export const filterSameAccountPaykeys = (
  searchResult: ReadResult<readonly PaykeySummary[]>,
  paykey: Paykey,
): ReadResult<readonly PaykeySummary[]> => ({
  ...searchResult,
  data: searchResult.data && findSameAccountPaykeys(searchResult.data, paykey),
})
