import type { ReadResult } from '@/lib/domain/check'
import { parsePaymentKind } from '@/lib/domain/payment-kind'
import { type AmountUnit, toMinorUnits } from '@/lib/money'
import type { Paykey, PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

/** The fields of a waiting payment from which the effect of a decision follows. */
export type WaitingPayment = Pick<
  PaymentSummary,
  'payment_type' | 'status' | 'status_details' | 'amount'
>

/**
 * States in which a payment waits for its paykey (provider facts 3.1): not checked yet, or held.
 */
export const waitingStates = ['created', 'on_hold'] as const

/**
 * The sums of payments in cents. `unreadable` is the number of payments in neither sum, because
 * their amount or type is unknown.
 */
export type PaymentSum = { count: number; charges: number; payouts: number; unreadable: number }

/**
 * Returns the sum of the charges and the sum of the payouts. They are separate, because charges
 * bring money in and payouts send it out.
 */
export function sumWaitingPayments(
  payments: readonly WaitingPayment[],
  unit: AmountUnit,
): PaymentSum {
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
type PaymentEffect = { moves: 'goes_on' | 'stays' | 'fails'; text: string }

const reviewHoldReasons = ['watchtower_review', 'require_review']

/**
 * True if a payment is held because its paykey or customer is in review. False if a person or a
 * limit holds it.
 */
const isHeldForReview = ({ status, status_details }: WaitingPayment) =>
  status === 'on_hold' && reviewHoldReasons.includes(status_details?.reason?.toLowerCase() ?? '')

const isPaykeyUsableAfter = (decision: DecisionName) =>
  decision === 'approve' || decision === 'unblock'

/**
 * Returns the expected effect of a decision about a paykey on a payment that waits for the paykey:
 * - A hold for a review ends with an approval, a rejection or a cancellation, but not with an
 *   unblock.
 * - A hold by a person, a limit or a rule stays until someone releases the payment.
 * - A payment without a hold continues if the paykey is usable. If not, the payment fails (provider
 *   facts 3.1).
 *
 * No document states these effects, but the sandbox behaves like this. Therefore screens call them
 * "expected".
 */
export function predictPaymentEffect(
  payment: WaitingPayment,
  decision: DecisionName,
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

/** Returns waiting payments grouped by their expected effect, in display order. */
export function groupPaymentsByEffect<P extends WaitingPayment>(
  payments: readonly P[],
  decision: DecisionName,
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

const stayOnHoldText = (count: number, decision: DecisionName): string => {
  const [stay, released, fail] =
    count === 1 ? ['stays', 'it is released', 'fails'] : ['stay', 'they are released', 'fail']
  return isPaykeyUsableAfter(decision)
    ? `${count} ${stay} on hold until ${released}`
    : `${count} ${stay} on hold and ${fail} once ${released}`
}

const effectTextByKind: Readonly<
  Record<PaymentEffect['moves'], (count: number, decision: DecisionName) => string>
> = {
  goes_on: (count) => `${count} ${count === 1 ? 'goes' : 'go'} on`,
  fails: (count) => `${count} ${count === 1 ? 'fails' : 'fail'}`,
  stays: stayOnHoldText,
}

/** Returns a sentence with the number of payments that continue, fail and stay on hold. */
export const expectedEffectsText = (
  payments: readonly WaitingPayment[],
  decision: DecisionName,
): string =>
  `${groupPaymentsByEffect(payments, decision)
    .map((group) => effectTextByKind[group.moves](group.payments.length, decision))
    .join(', ')}.`

/**
 * True if a payment failed with the return code R29: it was returned, or an R29 had blocked its
 * paykey before (provider facts 3.1).
 */
export function hasFailedWithR29({
  status,
  status_details,
}: Pick<WaitingPayment, 'status' | 'status_details'>): boolean {
  return (status === 'failed' || status === 'reversed') && status_details?.code === 'R29'
}

/**
 * Returns the other paykeys that are possibly on the same bank account: the bank, the last four
 * digits and the account type are equal. Lists contain only four digits, so two different accounts
 * at one bank can match. Therefore screens say "possibly".
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

/**
 * Maximum number of related paykeys that are read for a paykey. The same maximum applies to its
 * related payments.
 */
export const maxRelatedRecords = 100

/**
 * Returns the search for paykeys on the same bank account, by its last four digits; null if the
 * service sends no digits.
 */
export function toSameAccountFilter({
  bank_data,
}: Paykey): { search_text: string; page_size: number } | null {
  const lastFourDigits = bank_data?.account_number?.slice(-4)
  return lastFourDigits ? { search_text: lastFourDigits, page_size: maxRelatedRecords } : null
}

/**
 * Returns the result of a search by last four digits, with only the paykeys that are possibly on
 * the same bank account as `paykey`.
 */
export const filterSameAccountPaykeys = (
  searchResult: ReadResult<readonly PaykeySummary[]>,
  paykey: Paykey,
): ReadResult<readonly PaykeySummary[]> => ({
  ...searchResult,
  data: searchResult.data && findSameAccountPaykeys(searchResult.data, paykey),
})
