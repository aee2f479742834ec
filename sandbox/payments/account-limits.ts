import type { Limits } from '@/sandbox/accounts/account'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Payment } from './payment'
import { dayNumber } from './payment-table'
import { type PaymentStatus, type PaymentType, paymentStatuses, paymentTypes, statusReasons } from './payment-values'

/** Amounts already used in one payment type, in cents and payments, on the day and in the calendar month of a payment's date. */
type Usage = { daily: number; monthly: number; count: number }

const codeOf = (status: PaymentStatus): number => paymentStatuses.indexOf(status)
const ended: readonly number[] = [codeOf('failed'), codeOf('cancelled')]
const onHold = codeOf('on_hold')
const created = codeOf('created')
const tooLarge = statusReasons.indexOf('amount_too_large')

/** Returns the first and last day of the month of a `YYYY-MM-DD` date, as days since 1970. */
function monthOf(date: string): [number, number] {
  const [year = 0, month = 1] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return [dayNumber(first), dayNumber(last)]
}

/**
 * Sums the columns in memory. Failed and cancelled payments do not count, nor do those held for a limit: otherwise one far too large
 * payment would stop all later ones. Of the payments before their check, only earlier ones count.
 */
function usageBefore({ payments: { columns } }: Sandbox, payment: Payment): Usage {
  const [account, type, status, reason] = [
    columns.column('account'),
    columns.column('type'),
    columns.column('status'),
    columns.column('reason'),
  ]
  const [dates, amounts] = [columns.column('payment_date'), columns.column('amount')]
  const ownSlot = payment.n - 1
  const [day, [first, last]] = [dayNumber(payment.payment_date), monthOf(payment.payment_date)]
  const kind = paymentTypes.indexOf(payment.type)
  const counts = (slot: number): boolean => {
    const state = status[slot] ?? 0
    if (slot === ownSlot || ended.includes(state)) return false
    if (state === created && slot > ownSlot) return false
    return !(state === onHold && reason[slot] === tooLarge)
  }
  const usage = { daily: 0, monthly: 0, count: 0 }
  for (let slot = 0; slot < columns.size; slot++) {
    const date = dates[slot] ?? 0
    if (account[slot] !== payment.account || type[slot] !== kind || date < first || date > last || !counts(slot)) continue
    const amount = amounts[slot] ?? 0
    usage.monthly += amount
    usage.count += 1
    if (date === day) usage.daily += amount
  }
  return usage
}

const over = (field: string, limit: string, type: PaymentType): string => `Held: over the account's ${field} of ${limit} for ${type}s`
const dollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`

/** Returns the error text for a payment that exceeds the limit per payment, or undefined. */
export const overMaxAmount = ({ max_amount }: Limits, { amount, type }: Pick<Payment, 'amount' | 'type'>): string | undefined =>
  amount > max_amount ? over('max_amount', dollars(max_amount), type) : undefined

/**
 * Returns an error text with the field name of the exceeded limit, or undefined if the payment is within all limits. Charges and payouts
 * have separate limits (interface document, "Limits").
 */
export function overLimit(sandbox: Sandbox, payment: Payment): string | undefined {
  const { type, amount } = payment
  const limits = sandbox.accounts.at(payment.account)?.doc.settings[`${type}s`]
  if (!limits) return undefined
  const tooLargeAlone = overMaxAmount(limits, payment)
  if (tooLargeAlone !== undefined) return tooLargeAlone
  const usage = usageBefore(sandbox, payment)
  const { daily_amount, monthly_amount, monthly_count } = limits
  if (usage.daily + amount > daily_amount) return over('daily_amount', dollars(daily_amount), type)
  if (usage.monthly + amount > monthly_amount) return over('monthly_amount', dollars(monthly_amount), type)
  return usage.count + 1 > monthly_count ? over('monthly_count', String(monthly_count), type) : undefined
}
