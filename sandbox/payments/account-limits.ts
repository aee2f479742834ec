import type { Limits } from '@/sandbox/accounts/account'
import type { Sandbox } from '@/sandbox/sandbox'
import type { Payment } from './payment'
import { dayNumber } from './payment-table'
import { type PaymentStatus, type PaymentType, paymentStatuses, paymentTypes, statusReasons } from './payment-values'

/** What an account already moved by one payment type, in cents and payments, on the day and in the calendar month of a payment's date. */
type Usage = { daily: number; monthly: number; count: number }

const codeOf = (status: PaymentStatus): number => paymentStatuses.indexOf(status)
const ended: readonly number[] = [codeOf('failed'), codeOf('cancelled')]
const onHold = codeOf('on_hold')
const created = codeOf('created')
const tooLarge = statusReasons.indexOf('amount_too_large')

/** First and last day of the month of a `YYYY-MM-DD` date, as days since 1970. */
function monthOf(date: string): [number, number] {
  const [year = 0, month = 1] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return [dayNumber(first), dayNumber(last)]
}

/**
 * Adds up the columns in memory. What failed or was cancelled does not count, nor does what is held for a limit itself: otherwise one payment
 * that is far too large would stop every later one. Of the payments that still wait for their check only earlier ones count.
 */
function usageBefore({ payments: { columns } }: Sandbox, payment: Payment): Usage {
  const [account, type, status, reason] = [
    columns.column('account'),
    columns.column('type'),
    columns.column('status'),
    columns.column('reason'),
  ]
  const [dates, amounts] = [columns.column('payment_date'), columns.column('amount')]
  const own = payment.n - 1
  const [day, [first, last]] = [dayNumber(payment.payment_date), monthOf(payment.payment_date)]
  const kind = paymentTypes.indexOf(payment.type)
  const counts = (slot: number): boolean => {
    const state = status[slot] ?? 0
    if (slot === own || ended.includes(state)) return false
    if (state === created && slot > own) return false
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

/** The sentence for a payment that alone is too large, whatever else its account does; undefined when it is not. */
export const overMaxAmount = ({ max_amount }: Limits, { amount, type }: Pick<Payment, 'amount' | 'type'>): string | undefined =>
  amount > max_amount ? over('max_amount', dollars(max_amount), type) : undefined

/**
 * Says which limit of its account a payment is over, as a sentence that names the limit's field; undefined when it is within all. Limits are
 * set for charges and payouts apart (interface document, "Limits").
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
