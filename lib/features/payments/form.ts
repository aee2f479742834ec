import { parseTime, toNewYorkDate } from '@/lib/dates'
import { addDays, rollToBankingDay } from '@/lib/domain/bank-time'
import type { CheckResult, ReadResult } from '@/lib/domain/check'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentReasonFacts } from '@/lib/domain/payment-reasons'
import { type DecisionReason, dataChangeReasons } from '@/lib/domain/reasons'
import { findReturnCode } from '@/lib/domain/return-codes'
import { parseWarning, type Warning } from '@/lib/domain/warnings'
import { getAmountFaultText, moneyText, parseCents } from '@/lib/money'

/** The maximum of a signed 32-bit integer (provider facts 2.19). */
const maxPaymentCents = 2_147_483_647

export function findAmountFault(typedAmount: string): { amount?: string } {
  const cents = parseCents(typedAmount)
  if (cents === null)
    return {
      amount:
        typedAmount.trim() === '' ? 'type an amount' : (getAmountFaultText(typedAmount) ?? ''),
    }
  if (cents < 1) return { amount: 'Must be more than zero.' }
  return cents > maxPaymentCents ? { amount: `Must be at most ${moneyText(maxPaymentCents)}.` } : {}
}

export function findRefundAmountFault(
  typedAmount: string,
  chargedMinor: number | null,
): { amount?: string } {
  const amountFault = findAmountFault(typedAmount)
  if (amountFault.amount || chargedMinor === null) return amountFault
  return (parseCents(typedAmount) ?? 0) > chargedMinor
    ? { amount: `Must be at most ${moneyText(chargedMinor)}, the amount of the charge.` }
    : {}
}

const createReplacementReason = (kind: PaymentKind): DecisionReason => ({
  code: 'REPLACES_PAYMENT',
  label: 'Replaces an earlier payment',
  template: `This ${kind} replaces an earlier payment that did not go through.`,
})

/** The service accepts no reason for a new payment, so the reason stays in the action log. */
export const newPaymentReasons: Readonly<Record<PaymentKind, readonly DecisionReason[]>> = {
  payout: [
    {
      code: 'PAYMENT_DUE',
      label: 'Payment is due',
      template: 'The payout is due under the agreement with the customer.',
    },
    {
      code: 'CUSTOMER_REQUEST',
      label: 'Customer request',
      template: 'The customer asked for this payout.',
    },
    createReplacementReason('payout'),
    {
      code: 'AMOUNT_ADJUSTED',
      label: 'Adjusts an earlier amount',
      template: 'An earlier payout was too low; this one makes up for it.',
    },
  ],
  charge: [
    {
      code: 'PAYMENT_DUE',
      label: 'Payment is due',
      template: 'The charge is due under the authorization of the customer.',
    },
    {
      code: 'CUSTOMER_REQUEST',
      label: 'Customer request',
      template: 'The customer asked to be charged now.',
    },
    createReplacementReason('charge'),
    {
      code: 'AMOUNT_ADJUSTED',
      label: 'Adjusts an earlier amount',
      template: 'An earlier charge was too low; this one makes up for it.',
    },
  ],
}

/** For payments that were not sent yet. The reason stays in the action log. */
export const paymentChangeReasons: readonly DecisionReason[] = [
  {
    code: 'AMOUNT_CORRECTED',
    label: 'Amount corrected',
    template: 'The amount was entered incorrectly and has been corrected.',
  },
  {
    code: 'DATE_CHANGED',
    label: 'Payment date changed',
    template: 'The payment date was changed.',
  },
  {
    code: 'DESCRIPTION_CHANGED',
    label: 'Description changed',
    template: 'The description on the bank statement was corrected.',
  },
  {
    code: 'CUSTOMER_REQUEST',
    label: 'Customer request',
    template: 'The customer asked for this change.',
  },
  dataChangeReasons.metadata,
]

/** Empty for a check that passed, is loading, or is `ordinary`. */
function toCheckWarnings({ id, result, about, ordinary }: CheckResult): Warning[] {
  const warningCode = `${id}_${result}`
  const warning =
    parseWarning(about === undefined ? warningCode : `${warningCode}:${about}`) ??
    parseWarning(warningCode)
  return warning && !ordinary ? [warning] : []
}

/** `paykey_warn` (the account expires soon) is left out: this payment can still use the account. */
export const listReleaseWarnings = (checks: readonly CheckResult[]): Warning[] =>
  checks.flatMap(toCheckWarnings).filter(({ code }) => code !== 'paykey_warn')

const ownHoldIds = ['auto_hold', 'held_by_person']

/** Without a check, its fact is unknown. `holdId` is the id of the hold's explanation. */
export function toPaymentReasonFacts(
  { status }: Pick<Payment, 'status'>,
  checks: readonly CheckResult[],
  holdId: string | null,
): PaymentReasonFacts {
  const getFact = (id: string) => {
    const result = checks.find((check) => check.id === id)?.result
    if (result === 'pass') return true
    return result === 'warn' || result === 'fail' ? false : undefined
  }
  const limitResults = checks.filter(({ id }) => id.startsWith('limit_'))
  const areLimitsKnown = limitResults.every(({ result, ordinary }) => result === 'pass' || ordinary)
  const isWithinLimits = limitResults.length > 0 && areLimitsKnown ? false : undefined
  const knownFacts = {
    proof_on_file: getFact('documents'),
    over_limit: limitResults.some(({ result }) => result === 'warn') ? true : isWithinLimits,
    own_hold: holdId === null || holdId === 'unknown' ? undefined : ownHoldIds.includes(holdId),
    bank_account_usable: getFact('paykey'),
    balance_covers: getFact('balance'),
    canceled: status === 'cancelled',
  }
  return knownFacts as PaymentReasonFacts
}

/** Unknown results cause no warning. */
export const listPlanWarnings = (checks: readonly CheckResult[]): Warning[] =>
  checks.filter(({ result }) => result === 'warn' || result === 'fail').flatMap(toCheckWarnings)

export const isAnyCheckLoading = (checks: readonly CheckResult[]): boolean =>
  checks.some(({ id, result }) => result === 'loading' && parseWarning(`${id}_unknown`) !== null)

export function listResubmitWarnings(
  { status_details }: Pick<Payment, 'status_details'>,
  paykey: ReadResult<{ status: string }>,
): Warning[] {
  const rawCode = status_details?.code?.toUpperCase()
  const returnCode = findReturnCode(rawCode)
  const warnings: Warning[] = []
  if (returnCode?.first) warnings.push({ code: 'return_first', detail: rawCode })
  // `parseWarning` returns null for a malformed code, which the warning then calls `OTHER`.
  if (rawCode && !returnCode)
    warnings.push(
      parseWarning(`return_unknown:${rawCode}`) ?? { code: 'return_unknown', detail: 'OTHER' },
    )
  if (paykey.data?.status === 'review') warnings.push({ code: 'resubmit_review' })
  if (paykey.error !== undefined) warnings.push({ code: 'paykey_unknown' })
  return warnings
}

/**
 * Banking days after settlement in which a bank returns a debit for insufficient funds, a closed
 * account or R29 (provider facts 2.20).
 */
const returnBankingDays = 2

/**
 * Rare returns are not included: a consumer can dispute a debit as unauthorized for 60 days. A
 * warning on every refund for two months would no longer be read.
 */
export function getLastReturnDay({
  effective_at,
  processed_at,
  payment_date,
}: Pick<Payment, 'effective_at' | 'processed_at' | 'payment_date'>) {
  const settledAt = parseTime(effective_at) ?? parseTime(processed_at)
  const settlementDay = settledAt === null ? payment_date : toNewYorkDate(settledAt)
  if (!settlementDay) return null
  let lastDay = rollToBankingDay(settlementDay)
  for (let daysLeft = returnBankingDays; daysLeft > 0; daysLeft -= 1)
    lastDay = rollToBankingDay(addDays(lastDay, 1))
  return lastDay
}

/** If the bank returns the debit after the refund, the customer gets the money twice. */
export function listRefundWarnings(
  payment: Parameters<typeof getLastReturnDay>[0],
  now: number,
): Warning[] {
  const lastReturnDay = getLastReturnDay(payment)
  if (lastReturnDay === null) return [{ code: 'returnable_unknown' }]
  return toNewYorkDate(now) <= lastReturnDay ? [{ code: 'returnable', detail: lastReturnDay }] : []
}
