import { bankDay, parseTime } from '@/lib/dates'
import { addDays, toBankingDay } from '@/lib/domain/bank-time'
import type { Check, ReadResult } from '@/lib/domain/check'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { changeReasons, type DecisionReason } from '@/lib/domain/reasons'
import { findReturnCode } from '@/lib/domain/return-codes'
import { parseWarning, type Warning } from '@/lib/domain/warnings'
import { amountFaultText, moneyText, parseCents } from '@/lib/money'

/** The largest amount of one payment in cents, which fits 32 bits (provider facts 2.19). */
const maxAmount = 2_147_483_647

/** Returns the error of a typed amount, by field name; empty if there is none. */
export function findAmountFault(typed: string): { amount?: string } {
  const cents = parseCents(typed)
  if (cents === null) return { amount: typed.trim() === '' ? 'type an amount' : (amountFaultText(typed) ?? '') }
  if (cents < 1) return { amount: 'Must be more than zero.' }
  return cents > maxAmount ? { amount: `Must be at most ${moneyText(maxAmount)}.` } : {}
}

/** Returns the error of a typed refund amount. The maximum is `charged`, the charge's amount in minor units; null if unknown. */
export function findRefundAmountFault(typed: string, charged: number | null): { amount?: string } {
  const fault = findAmountFault(typed)
  if (fault.amount || charged === null) return fault
  return (parseCents(typed) ?? 0) > charged ? { amount: `Must be at most ${moneyText(charged)}, the amount of the charge.` } : {}
}

const createReplacementReason = (one: PaymentKind): DecisionReason => ({
  code: 'REPLACES_PAYMENT',
  label: 'Replaces an earlier payment',
  template: `This ${one} replaces an earlier payment that did not go through.`,
})

/** The reasons offered for a new payment. The service accepts none, so the reason stays in the action log. */
export const newPaymentReasons: Readonly<Record<PaymentKind, readonly DecisionReason[]>> = {
  payout: [
    { code: 'PAYMENT_DUE', label: 'Payment is due', template: 'The payout is due under the agreement with the customer.' },
    { code: 'CUSTOMER_REQUEST', label: 'Customer request', template: 'The customer asked for this payout.' },
    createReplacementReason('payout'),
    { code: 'AMOUNT_ADJUSTED', label: 'Adjusts an earlier amount', template: 'An earlier payout was too low; this one makes up for it.' },
  ],
  charge: [
    { code: 'PAYMENT_DUE', label: 'Payment is due', template: 'The charge is due under the authorization of the customer.' },
    { code: 'CUSTOMER_REQUEST', label: 'Customer request', template: 'The customer asked to be charged now.' },
    createReplacementReason('charge'),
    { code: 'AMOUNT_ADJUSTED', label: 'Adjusts an earlier amount', template: 'An earlier charge was too low; this one makes up for it.' },
  ],
}

/** The reasons offered for a change of a payment that was not sent yet. They stay in the action log. */
export const paymentChangeReasons: readonly DecisionReason[] = [
  { code: 'AMOUNT_CORRECTED', label: 'Amount corrected', template: 'The amount was entered incorrectly and has been corrected.' },
  { code: 'DATE_CHANGED', label: 'Payment date changed', template: 'The payment date was changed as agreed with the customer.' },
  { code: 'DESCRIPTION_CHANGED', label: 'Description changed', template: 'The description on the bank statement was corrected.' },
  { code: 'CUSTOMER_REQUEST', label: 'Customer request', template: 'The customer asked for this change.' },
  changeReasons.metadata,
]

/** Returns the warning of a check, by its id and result. Empty for a check that passed, is loading, or is `ordinary`. */
function toWarnings({ id, result, about, ordinary }: Check): Warning[] {
  const code = `${id}_${result}`
  const warning = parseWarning(about === undefined ? code : `${code}:${about}`) ?? parseWarning(code)
  return warning && !ordinary ? [warning] : []
}

/**
 * Returns the warnings to confirm before a held payment is released, in the order of the checks. A bank account that expires within a week
 * causes no warning, because this payment can still use it.
 */
export const listReleaseWarnings = (checks: readonly Check[]): Warning[] =>
  checks.flatMap(toWarnings).filter(({ code }) => code !== 'paykey_warn')

/** Returns the warnings to confirm before a new payment is sent. Unknown results cause no warning. */
export const listPlanWarnings = (checks: readonly Check[]): Warning[] =>
  checks.filter(({ result }) => result === 'warn' || result === 'fail').flatMap(toWarnings)

/** True while a check is loading that may require a confirmation. */
export const isCheckLoading = (checks: readonly Check[]): boolean =>
  checks.some(({ id, result }) => result === 'loading' && parseWarning(`${id}_unknown`) !== null)

/** Returns the warnings to confirm before a payment is resubmitted. They depend on its return code and the status of its paykey. */
export function listResubmitWarnings(
  { status_details }: Pick<Payment, 'status_details'>,
  paykey: ReadResult<{ status: string }>,
): Warning[] {
  const raw = status_details?.code?.toUpperCase()
  const code = findReturnCode(raw)
  const warnings: Warning[] = []
  if (code?.first) warnings.push({ code: 'return_first', detail: raw })
  // A malformed code counts as an unknown one.
  if (raw && !code) warnings.push(parseWarning(`return_unknown:${raw}`) ?? { code: 'return_unknown', detail: 'OTHER' })
  if (paykey.data?.status === 'review') warnings.push({ code: 'resubmit_review' })
  if (paykey.error !== undefined) warnings.push({ code: 'paykey_unknown' })
  return warnings
}

/** Banking days after settlement in which a bank returns a debit for insufficient funds, a closed account or R29 (provider facts 2.20). */
const returnBankingDays = 2

/**
 * Returns the last day (New York) on which a bank usually returns a settled debit; null if the day of settlement is unknown. A consumer can
 * dispute a debit as unauthorized for 60 days. That is rare, and is not included: people would confirm a warning on every refund of two
 * months without reading it.
 */
export function getLastReturnDay({
  effective_at,
  processed_at,
  payment_date,
}: Pick<Payment, 'effective_at' | 'processed_at' | 'payment_date'>) {
  const settledAt = parseTime(effective_at) ?? parseTime(processed_at)
  const day = settledAt === null ? payment_date : bankDay(settledAt)
  if (!day) return null
  let lastDay = toBankingDay(day)
  for (let daysLeft = returnBankingDays; daysLeft > 0; daysLeft -= 1) lastDay = toBankingDay(addDays(lastDay, 1))
  return lastDay
}

/** Returns the warnings to confirm before a charge is refunded at `now` (milliseconds): if the debit returns later, it is paid twice. */
export function listRefundWarnings(payment: Parameters<typeof getLastReturnDay>[0], now: number): Warning[] {
  const lastReturnDay = getLastReturnDay(payment)
  if (lastReturnDay === null) return [{ code: 'returnable_unknown' }]
  return bankDay(now) <= lastReturnDay ? [{ code: 'returnable', detail: lastReturnDay }] : []
}
