import type { Limits } from '@/sandbox/accounts/account'
import type { Sandbox } from '@/sandbox/sandbox'
import { findDuplicateError } from './find-payment'
import type { Payment } from './payment'
import { type Cause, findForcedMove } from './payment-outcomes'
import { findMissingRight } from './payment-rights'
import { dayNumber } from './payment-store'
import { type PaymentStatus, type PaymentType, paymentStatuses, paymentTypes, type StatusReason, statusReasons } from './payment-values'

/**
 * Amounts that other payments use of an account's limits, on the day and in the calendar month of a payment's date. `daily` and `monthly`
 * are in cents; `count` is the number of payments in the month.
 */
type LimitUsage = { daily: number; monthly: number; count: number }

const toStatusCode = (status: PaymentStatus): number => paymentStatuses.indexOf(status)
const endedCodes: readonly number[] = [toStatusCode('failed'), toStatusCode('cancelled')]
const onHoldCode = toStatusCode('on_hold')
const createdCode = toStatusCode('created')
const tooLargeCode = statusReasons.indexOf('amount_too_large')

function monthRange(date: string): [number, number] {
  const [year = 0, month = 1] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return [dayNumber(first), dayNumber(last)]
}

/**
 * Returns the used part of the limits of a payment's account and type, summed from the columns in memory. Failed and cancelled payments do
 * not count. Payments held for a limit do not count either, because one far too large payment would block all later ones. Of the payments
 * in `created`, only older ones count.
 */
function sumOtherUsage({ payments: { columns } }: Sandbox, payment: Payment): LimitUsage {
  const [account, type, status, reason] = [
    columns.column('account'),
    columns.column('type'),
    columns.column('status'),
    columns.column('reason'),
  ]
  const [dates, amounts] = [columns.column('payment_date'), columns.column('amount')]
  const ownSlot = payment.n - 1
  const [day, [first, last]] = [dayNumber(payment.payment_date), monthRange(payment.payment_date)]
  const kind = paymentTypes.indexOf(payment.type)
  const isCounted = (slot: number): boolean => {
    const statusCode = status[slot] ?? 0
    if (slot === ownSlot || endedCodes.includes(statusCode)) return false
    if (statusCode === createdCode && slot > ownSlot) return false
    return !(statusCode === onHoldCode && reason[slot] === tooLargeCode)
  }
  const usage = { daily: 0, monthly: 0, count: 0 }
  for (let slot = 0; slot < columns.size; slot++) {
    const date = dates[slot] ?? 0
    if (account[slot] !== payment.account || type[slot] !== kind || date < first || date > last || !isCounted(slot)) continue
    const amount = amounts[slot] ?? 0
    usage.monthly += amount
    usage.count += 1
    if (date === day) usage.daily += amount
  }
  return usage
}

const overLimitText = (field: string, limit: string, type: PaymentType): string =>
  `Held: over the account's ${field} of ${limit} for ${type}s`
const dollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`

export const findMaxAmountError = ({ max_amount }: Limits, { amount, type }: Pick<Payment, 'amount' | 'type'>): string | undefined =>
  amount > max_amount ? overLimitText('max_amount', dollars(max_amount), type) : undefined

function findLimitError(sandbox: Sandbox, payment: Payment): string | undefined {
  const { type, amount } = payment
  const limits = sandbox.accounts.at(payment.account)?.doc.settings[`${type}s`]
  if (!limits) return undefined
  const tooLargeAlone = findMaxAmountError(limits, payment)
  if (tooLargeAlone !== undefined) return tooLargeAlone
  const usage = sumOtherUsage(sandbox, payment)
  const { daily_amount, monthly_amount, monthly_count } = limits
  if (usage.daily + amount > daily_amount) return overLimitText('daily_amount', dollars(daily_amount), type)
  if (usage.monthly + amount > monthly_amount) return overLimitText('monthly_amount', dollars(monthly_amount), type)
  return usage.count + 1 > monthly_count ? overLimitText('monthly_count', String(monthly_count), type) : undefined
}

export type CheckVerdict = { move: 'check_hold' | 'check_fail' | 'check_cancel'; cause: Cause } | undefined

type PaymentCheck = (sandbox: Sandbox, payment: Payment, at: number) => CheckVerdict

const makeVerdict = (
  move: NonNullable<CheckVerdict>['move'],
  reason: StatusReason,
  message: string,
  code: string | null = null,
): CheckVerdict => ({
  move,
  cause: { reason, source: 'watchtower', message, code },
})

/** The service accepts a second refund or resubmit, then this check cancels it (provider-facts 3.1). */
const checkDuplicate: PaymentCheck = (sandbox, payment) => {
  const message = findDuplicateError(sandbox, payment)
  return message === undefined ? undefined : makeVerdict('check_cancel', 'payment_blocked', message)
}

const checkBlockedPaykey: PaymentCheck = ({ paykeys }, { paykey }) => {
  const { status, status_details } = paykeys.at(paykey)?.doc ?? {}
  if (status !== 'blocked') return undefined
  return makeVerdict('check_fail', 'invalid_paykey', 'The paykey is blocked after a return', status_details?.code)
}

const checkPaykey: PaymentCheck = (sandbox, payment, at) => {
  const paykey = sandbox.paykeys.at(payment.paykey)?.doc
  switch (paykey?.status) {
    case 'blocked':
      return checkBlockedPaykey(sandbox, payment, at)
    case 'pending':
    case 'review':
      return makeVerdict('check_hold', 'watchtower_review', `The paykey is in ${paykey.status}; the payment waits until it is decided`)
    case 'active': {
      const isExpired = Date.parse(paykey.expires_at) <= at
      return isExpired ? makeVerdict('check_fail', 'invalid_paykey', 'The paykey has expired') : undefined
    }
    default:
      return makeVerdict('check_fail', 'invalid_paykey', `The paykey is ${paykey?.status ?? 'gone'}`)
  }
}

const checkCustomer: PaymentCheck = (sandbox, payment) => {
  const status = sandbox.customers.at(payment.customer)?.doc.status
  if (status === 'verified') return undefined
  if (status === 'review' || status === 'pending')
    return makeVerdict('check_hold', 'watchtower_review', `The customer is in ${status}; the payment waits until that is decided`)
  return makeVerdict('check_fail', 'payment_blocked', `The customer is ${status ?? 'gone'}`)
}

/** Applies a hold or cancellation that a test forces. A forced hold does not recur after a person released it. */
const checkForcedOutcome: PaymentCheck = (_, { doc: { config, released_amount } }) => {
  const forced = findForcedMove(config.sandbox_outcome)
  if (forced?.move === 'check_cancel') return { move: forced.move, cause: forced.cause }
  return forced?.move === 'check_hold' && released_amount === undefined ? { move: forced.move, cause: forced.cause } : undefined
}

/** Holds a payment over a limit. A payment that a person released passes, up to the released amount. */
const checkLimits: PaymentCheck = (sandbox, payment) => {
  if (payment.amount <= (payment.doc.released_amount ?? 0)) return undefined
  const message = findLimitError(sandbox, payment)
  return message === undefined ? undefined : makeVerdict('check_hold', 'amount_too_large', message)
}

/** Applies only to charges with the outcome `standard`. Every other outcome defines how the charge ends. */
const checkBalance: PaymentCheck = ({ paykeys }, { type, amount, paykey, doc: { config } }) => {
  const requestedCheck = config.balance_check ?? 'disabled'
  if (type !== 'charge' || requestedCheck === 'disabled' || config.sandbox_outcome !== 'standard') return undefined
  const read = paykeys.at(paykey)?.doc.balance
  const accountBalance = read?.status === 'completed' ? read.account_balance : null
  if (accountBalance === null)
    return requestedCheck === 'required' ? makeVerdict('check_fail', 'insufficient_funds', 'The balance could not be retrieved') : undefined
  return accountBalance < amount ? makeVerdict('check_fail', 'insufficient_funds', 'The balance is lower than the amount') : undefined
}

/** Fails unsent payments of an account that was rejected, deactivated or lost a capability (provider-facts 3.1). */
const checkAccount: PaymentCheck = (sandbox, payment) => {
  const customer = sandbox.customers.at(payment.customer)?.doc
  // The type of a deleted customer is unknown. `checkCustomer` fails its payment in any case.
  if (!customer) return undefined
  const requiredRight = { type: payment.type, customerType: customer.type, consent: payment.doc.consent_type }
  const message = findMissingRight(sandbox, payment, requiredRight)
  return message === undefined ? undefined : makeVerdict('check_fail', 'payment_blocked', message)
}

const partyChecks: readonly PaymentCheck[] = [checkAccount, checkPaykey, checkCustomer]

function runChecks(checks: readonly PaymentCheck[], sandbox: Sandbox, payment: Payment, at: number): CheckVerdict {
  for (const check of checks) {
    const verdict = check(sandbox, payment, at)
    if (verdict) return verdict
  }
  return undefined
}

export const instantCheck: PaymentCheck = (sandbox, payment, at) => runChecks([checkDuplicate, checkBlockedPaykey], sandbox, payment, at)

export const fullCheck: PaymentCheck = (sandbox, payment, at) =>
  runChecks([...partyChecks, checkForcedOutcome, checkLimits, checkBalance], sandbox, payment, at)

/**
 * Returns the hold or failure that account, paykey or customer cause; undefined if all pass. While a review is open, the payment is held
 * again after each release (interface document, "Moves that are described").
 */
export const checkParties: PaymentCheck = (sandbox, payment, at) => runChecks(partyChecks, sandbox, payment, at)
