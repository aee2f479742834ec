import type { AccountLimits } from '@/sandbox/accounts/account'
import type { Sandbox } from '@/sandbox/sandbox'
import { findDuplicateError } from './find-payment'
import type { Payment } from './payment'
import { findForcedMove, type StatusCause } from './payment-outcomes'
import { findMissingRightError } from './payment-rights'
import { toDayNumber } from './payment-store'
import {
  type PaymentStatus,
  type PaymentType,
  paymentStatuses,
  paymentTypes,
  type StatusReason,
  statusReasons,
} from './payment-values'

/**
 * Sums and number of the other payments that count towards an account's limits. `daily` and
 * `monthly` are in cents, for the day and the calendar month of the checked payment's date. `count`
 * is the number for that month.
 */
type LimitUsage = { daily: number; monthly: number; count: number }

const toStatusCode = (status: PaymentStatus): number => paymentStatuses.indexOf(status)
const endedStatusCodes: readonly number[] = [toStatusCode('failed'), toStatusCode('cancelled')]
const onHoldStatusCode = toStatusCode('on_hold')
const createdStatusCode = toStatusCode('created')
const tooLargeReasonCode = statusReasons.indexOf('amount_too_large')

function getMonthRange(date: string): [number, number] {
  const [year = 0, month = 1] = date.split('-').map(Number)
  const firstDate = new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)
  const lastDate = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return [toDayNumber(firstDate), toDayNumber(lastDate)]
}

/**
 * Sums the other payments that count towards the account's limits. Failed and canceled payments do
 * not count. Payments held for a limit do not count either: one far too large payment would block
 * all later ones. A payment in `created` counts only if it is older than `payment`, so that the
 * older one uses the rest of the limit first.
 */
function sumUsageByOtherPayments({ payments: { columns } }: Sandbox, payment: Payment): LimitUsage {
  const [account, type, status, reason] = [
    columns.column('account'),
    columns.column('type'),
    columns.column('status'),
    columns.column('reason'),
  ]
  const [dates, amounts] = [columns.column('payment_date'), columns.column('amount')]
  const ownSlot = payment.n - 1
  const [day, [first, last]] = [
    toDayNumber(payment.payment_date),
    getMonthRange(payment.payment_date),
  ]
  const typeCode = paymentTypes.indexOf(payment.type)
  const isCounted = (slot: number): boolean => {
    const statusCode = status[slot] ?? 0
    if (slot === ownSlot || endedStatusCodes.includes(statusCode)) return false
    if (statusCode === createdStatusCode && slot > ownSlot) return false
    return !(statusCode === onHoldStatusCode && reason[slot] === tooLargeReasonCode)
  }
  const usage = { daily: 0, monthly: 0, count: 0 }
  for (let slot = 0; slot < columns.size; slot++) {
    const paymentDayNumber = dates[slot] ?? 0
    if (
      account[slot] !== payment.account ||
      type[slot] !== typeCode ||
      paymentDayNumber < first ||
      paymentDayNumber > last ||
      !isCounted(slot)
    )
      continue
    const amount = amounts[slot] ?? 0
    usage.monthly += amount
    usage.count += 1
    if (paymentDayNumber === day) usage.daily += amount
  }
  return usage
}

const formatOverLimitMessage = (field: string, limit: string, type: PaymentType): string =>
  `Held: over the account's ${field} of ${limit} for ${type}s`
const formatDollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`

export const findMaxAmountError = (
  { max_amount }: AccountLimits,
  { amount, type }: Pick<Payment, 'amount' | 'type'>,
): string | undefined =>
  amount > max_amount
    ? formatOverLimitMessage('max_amount', formatDollars(max_amount), type)
    : undefined

function findLimitError(sandbox: Sandbox, payment: Payment): string | undefined {
  const { type, amount } = payment
  const limits = sandbox.accounts.at(payment.account)?.doc.settings[`${type}s`]
  if (!limits) return undefined
  const maxAmountError = findMaxAmountError(limits, payment)
  if (maxAmountError !== undefined) return maxAmountError
  const usage = sumUsageByOtherPayments(sandbox, payment)
  const { daily_amount, monthly_amount, monthly_count } = limits
  if (usage.daily + amount > daily_amount)
    return formatOverLimitMessage('daily_amount', formatDollars(daily_amount), type)
  if (usage.monthly + amount > monthly_amount)
    return formatOverLimitMessage('monthly_amount', formatDollars(monthly_amount), type)
  return usage.count + 1 > monthly_count
    ? formatOverLimitMessage('monthly_count', String(monthly_count), type)
    : undefined
}

export type CheckVerdict =
  | { move: 'check_hold' | 'check_fail' | 'check_cancel'; cause: StatusCause }
  | undefined

type PaymentCheck = (sandbox: Sandbox, payment: Payment, at: number) => CheckVerdict

const makeCheckVerdict = (
  move: NonNullable<CheckVerdict>['move'],
  reason: StatusReason,
  message: string,
  returnCode: string | null = null,
): CheckVerdict => ({
  move,
  cause: { reason, source: 'watchtower', message, code: returnCode },
})

/** The service accepts a second refund or resubmit, and cancels it here (provider-facts 3.1). */
const checkDuplicate: PaymentCheck = (sandbox, payment) => {
  const duplicateError = findDuplicateError(sandbox, payment)
  return duplicateError === undefined
    ? undefined
    : makeCheckVerdict('check_cancel', 'payment_blocked', duplicateError)
}

const checkBlockedPaykey: PaymentCheck = ({ paykeys }, { paykey }) => {
  const { status, status_details } = paykeys.at(paykey)?.doc ?? {}
  if (status !== 'blocked') return undefined
  return makeCheckVerdict(
    'check_fail',
    'invalid_paykey',
    'The paykey is blocked after a return',
    status_details?.code,
  )
}

const checkPaykey: PaymentCheck = (sandbox, payment, at) => {
  const paykey = sandbox.paykeys.at(payment.paykey)?.doc
  switch (paykey?.status) {
    case 'blocked':
      return checkBlockedPaykey(sandbox, payment, at)
    case 'pending':
    case 'review':
      return makeCheckVerdict(
        'check_hold',
        'watchtower_review',
        `The paykey is in ${paykey.status}; the payment waits until it is decided`,
      )
    case 'active': {
      const isExpired = Date.parse(paykey.expires_at) <= at
      return isExpired
        ? makeCheckVerdict('check_fail', 'invalid_paykey', 'The paykey has expired')
        : undefined
    }
    default:
      return makeCheckVerdict(
        'check_fail',
        'invalid_paykey',
        `The paykey is ${paykey?.status ?? 'gone'}`,
      )
  }
}

const checkCustomer: PaymentCheck = (sandbox, payment) => {
  const status = sandbox.customers.at(payment.customer)?.doc.status
  if (status === 'verified') return undefined
  if (status === 'review' || status === 'pending')
    return makeCheckVerdict(
      'check_hold',
      'watchtower_review',
      `The customer is in ${status}; the payment waits until that is decided`,
    )
  return makeCheckVerdict('check_fail', 'payment_blocked', `The customer is ${status ?? 'gone'}`)
}

/**
 * Holds or cancels a payment if its `sandbox_outcome` demands it. The hold is not repeated after a
 * person released the payment.
 */
const checkForcedOutcome: PaymentCheck = (_, { doc: { config, released_amount } }) => {
  const forcedMove = findForcedMove(config.sandbox_outcome)
  if (forcedMove?.move === 'check_cancel') return { move: forcedMove.move, cause: forcedMove.cause }
  return forcedMove?.move === 'check_hold' && released_amount === undefined
    ? { move: forcedMove.move, cause: forcedMove.cause }
    : undefined
}

/**
 * Holds a payment that exceeds a limit of its account. A payment that a person released passes with
 * any amount up to the released one.
 */
const checkLimits: PaymentCheck = (sandbox, payment) => {
  if (payment.amount <= (payment.doc.released_amount ?? 0)) return undefined
  const limitError = findLimitError(sandbox, payment)
  return limitError === undefined
    ? undefined
    : makeCheckVerdict('check_hold', 'amount_too_large', limitError)
}

/**
 * Fails a charge if the bank account's balance is too low, or unknown although required. Checks
 * only the outcome `standard`, because every other outcome already defines how the charge ends.
 */
const checkBalance: PaymentCheck = ({ paykeys }, { type, amount, paykey, doc: { config } }) => {
  const requestedBalanceCheck = config.balance_check ?? 'disabled'
  if (
    type !== 'charge' ||
    requestedBalanceCheck === 'disabled' ||
    config.sandbox_outcome !== 'standard'
  )
    return undefined
  const paykeyBalance = paykeys.at(paykey)?.doc.balance
  const accountBalance =
    paykeyBalance?.status === 'completed' ? paykeyBalance.account_balance : null
  if (accountBalance === null)
    return requestedBalanceCheck === 'required'
      ? makeCheckVerdict('check_fail', 'insufficient_funds', 'The balance could not be retrieved')
      : undefined
  return accountBalance < amount
    ? makeCheckVerdict('check_fail', 'insufficient_funds', 'The balance is lower than the amount')
    : undefined
}

/**
 * Fails an unsent payment if its account was rejected or deactivated, or lost a required capability
 * (provider-facts 3.1).
 */
const checkAccount: PaymentCheck = (sandbox, payment) => {
  const customer = sandbox.customers.at(payment.customer)?.doc
  // Skip a deleted customer, whose type is unknown. `checkCustomer` fails the payment anyway.
  if (!customer) return undefined
  const requiredRight = {
    type: payment.type,
    customerType: customer.type,
    consent: payment.doc.consent_type,
  }
  const missingRightError = findMissingRightError(sandbox, payment, requiredRight)
  return missingRightError === undefined
    ? undefined
    : makeCheckVerdict('check_fail', 'payment_blocked', missingRightError)
}

const partyChecks: readonly PaymentCheck[] = [checkAccount, checkPaykey, checkCustomer]

function runChecks(
  checks: readonly PaymentCheck[],
  sandbox: Sandbox,
  payment: Payment,
  at: number,
): CheckVerdict {
  for (const check of checks) {
    const verdict = check(sandbox, payment, at)
    if (verdict) return verdict
  }
  return undefined
}

export const runInstantCheck: PaymentCheck = (sandbox, payment, at) =>
  runChecks([checkDuplicate, checkBlockedPaykey], sandbox, payment, at)

export const runFullCheck: PaymentCheck = (sandbox, payment, at) =>
  runChecks([...partyChecks, checkForcedOutcome, checkLimits, checkBalance], sandbox, payment, at)

/**
 * Checks the account, paykey and customer of a payment. While the paykey or customer is in review,
 * the payment is held again after each release (interface document, "Moves that are described").
 */
export const checkParties: PaymentCheck = (sandbox, payment, at) =>
  runChecks(partyChecks, sandbox, payment, at)
