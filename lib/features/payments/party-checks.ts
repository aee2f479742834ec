import { formatDuration, formatRelativeTime, parseTime } from '@/lib/dates'
import type { CheckFinding, CheckResult } from '@/lib/domain/check'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { findOwnValue } from '@/lib/domain/service-words'
import { getStatusWords, isKnownStatus, statusText } from '@/lib/domain/status'
import { type AmountUnit, moneyText, toMinorUnits } from '@/lib/money'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Paykey, PaykeySummary } from '@/lib/operations/paykeys.schema'

const dayMs = 24 * 60 * 60 * 1000
const weekMs = 7 * dayMs

export function assessPaykey(
  paykey: Pick<PaykeySummary, 'status' | 'status_details' | 'expires_at'>,
  now: number,
): CheckFinding {
  const paykeyStatusWords = getStatusWords('paykey', paykey.status)
  const expiryTime = parseTime(paykey.expires_at)
  if (paykey.status !== 'active') {
    const unusablePaykeyResult = isKnownStatus('paykey', paykey.status) ? 'fail' : 'unknown'
    const codeText = paykey.status_details?.code ? ` (${paykey.status_details.code})` : ''
    return {
      result: unusablePaykeyResult,
      sentence: `${paykeyStatusWords.label}${codeText}: ${paykeyStatusWords.meaning}`,
    }
  }
  if (expiryTime !== null && expiryTime <= now)
    return { result: 'fail', sentence: `Expired ${formatRelativeTime(paykey.expires_at, now)}.` }
  if (expiryTime !== null && expiryTime - now < weekMs)
    return { result: 'warn', sentence: `Active, expires in ${formatDuration(expiryTime - now)}.` }
  return { result: 'pass', sentence: 'Active.' }
}

const checkResultByCustomerStatus: Record<string, CheckResult['result']> = {
  verified: 'pass',
  pending: 'warn',
  review: 'warn',
  rejected: 'fail',
  inactive: 'fail',
}

export function assessCustomer(customer: Pick<Customer, 'status'>): CheckFinding {
  return {
    result: findOwnValue(checkResultByCustomerStatus, customer.status) ?? 'unknown',
    sentence: statusText(getStatusWords('customer', customer.status)),
    about: customer.status,
  }
}

export function whyPaykeyNotPayable(
  paykey: Pick<PaykeySummary, 'status' | 'status_details' | 'expires_at'>,
  now: number,
): string | null {
  const { result, sentence } = assessPaykey(paykey, now)
  return result === 'pass' || result === 'warn' ? null : sentence
}

/** The sentence about the service's own check, by the charge's setting `balance_check`. */
const balanceCheckTexts: Readonly<Record<string, string>> = {
  required: ' The service rejects the charge if the balance is unavailable.',
  enabled: ' The service checks the balance before sending.',
  disabled: ' The service sends the charge without checking the balance.',
}

/** `amount` is in minor units; null if it cannot be parsed. */
type BalanceCheckInput = {
  kind: PaymentKind
  amount: number | null
  balanceCheck: string | undefined
  now: number
  unit: AmountUnit
}

/** If the service checks the balance itself, an unknown balance needs no confirmation. */
const markUnknownAsOrdinary = (balanceCheck: string | undefined): Pick<CheckFinding, 'ordinary'> =>
  balanceCheck === 'required' || balanceCheck === 'enabled' ? { ordinary: true } : {}

/** The end of a sentence; null if the balance can be relied on. */
function findBalanceProblem(balance: Paykey['balance'], now: number): string | null {
  if (balance?.status === 'pending') return '; a refresh is in progress.'
  if (balance?.status !== 'completed') return '; the last refresh failed.'
  const updatedTime = parseTime(balance.updated_at)
  return updatedTime === null || now - updatedTime > dayMs
    ? ', but the balance is out of date.'
    : null
}

/** A charge needs a sufficient balance; a payout does not. */
export function assessBalance(
  paykey: Paykey,
  { kind, amount, balanceCheck, now, unit }: BalanceCheckInput,
): CheckFinding {
  const updatedAt = paykey.balance?.updated_at ?? null
  const minorUnits = toMinorUnits(paykey.balance?.account_balance, unit)
  const serviceCheckText =
    kind === 'charge' ? (findOwnValue(balanceCheckTexts, balanceCheck) ?? '') : ''
  const createUnknownFinding = (text: string): CheckFinding => ({
    result: 'unknown',
    sentence: `${text}${serviceCheckText}`,
    at: updatedAt,
    ...markUnknownAsOrdinary(balanceCheck),
  })
  if (minorUnits === null) return createUnknownFinding('Balance unavailable.')
  const balanceText = moneyText(minorUnits)
  const balanceProblem = findBalanceProblem(paykey.balance, now)
  if (balanceProblem !== null) return createUnknownFinding(`${balanceText}${balanceProblem}`)
  const missingAmount = kind === 'charge' && amount !== null ? amount - minorUnits : 0
  if (missingAmount > 0)
    return {
      result: 'warn',
      sentence: `${balanceText}: ${moneyText(missingAmount)} too low.${serviceCheckText}`,
      at: updatedAt,
      about: String(missingAmount),
    }
  const sufficientText = kind === 'charge' ? `${balanceText}, enough for this charge` : balanceText
  return { result: 'pass', sentence: `${sufficientText}.${serviceCheckText}`, at: updatedAt }
}
