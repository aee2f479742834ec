import { type AmountUnit, minorUnits } from '@/lib/money'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { dayAfter, newYorkTime } from './bank-time'

/** The part of a payment that money in and out is computed from. */
export type FlowPayment = Pick<PaymentSummary, 'payment_type' | 'status' | 'amount' | 'currency' | 'effective_at' | 'is_refund'>

/**
 * One calendar day in New York. Amounts are minor units; `in` is what charges brought, `out` what payouts took (refunds among them), `net` the
 * difference. `read` is false for a day of which not every payment was read: its figures are then null, never a part of the truth.
 */
export type CashDay = {
  date: string
  read: boolean
  in: number | null
  out: number | null
  net: number | null
  charges: number
  payouts: number
  refunds: number
}

/** The days, oldest first, and their sums over the days that were read. `unreadable` payments have an amount or currency that was not understood. */
export type CashFlow = { days: CashDay[]; in: number; out: number; net: number; unreadable: number }

/** `today` is a date in New York; `completeFrom` the oldest instant (ISO) from which on every payment was read, null where nothing was cut off. */
export type CashFlowFrame = { today: string; days: number; unit: AmountUnit; completeFrom: string | null }

/** The calendar dates of a frame, oldest first; today is the last. */
export const datesOf = ({ today, days }: Pick<CashFlowFrame, 'today' | 'days'>): string[] =>
  Array.from({ length: days }, (_, at) => dayAfter(today, at - days + 1))

/** The instant a frame begins at, for the search: midnight in New York of its first date, as ISO. */
export const startOf = (frame: Pick<CashFlowFrame, 'today' | 'days'>): string =>
  new Date(newYorkTime(dayAfter(frame.today, 1 - frame.days), '00:00')).toISOString()

/** Where the days begin, and where the last one ends: days of 23 and 25 hours take care of themselves. */
function bordersOf(dates: readonly string[]): number[] {
  return [...dates, dayAfter(dates.at(-1) ?? '', 1)].map((date) => newYorkTime(date, '00:00'))
}

/** The day an instant lies in, as an index of the days; -1 outside of all of them. */
function dayAt(borders: readonly number[], time: number): number {
  const next = borders.findIndex((border) => border > time)
  return next - 1 < 0 ? -1 : next - 1
}

/** Minor units; null for an amount that is not understood, and for one in another currency, which must not be added up with the rest. */
const amountOf = (payment: FlowPayment, unit: AmountUnit): number | null =>
  payment.currency === 'USD' ? minorUnits(payment.amount, unit) : null

const emptyDay = (date: string): CashDay => ({ date, read: true, in: 0, out: 0, net: 0, charges: 0, payouts: 0, refunds: 0 })

const notRead = (date: string): CashDay => ({ ...emptyDay(date), read: false, in: null, out: null, net: null })

function add(day: CashDay, payment: FlowPayment, amount: number): void {
  if (payment.payment_type === 'charge') {
    day.in = (day.in ?? 0) + amount
    day.charges += 1
  } else {
    day.out = (day.out ?? 0) + amount
    day.payouts += 1
    if (payment.is_refund) day.refunds += 1
  }
  day.net = (day.net ?? 0) + (payment.payment_type === 'charge' ? amount : -amount)
}

/**
 * Money in and out per day in New York, by the time the money settled (`effective_at`). Only `paid` payments count: one that was reversed gave
 * its money back, so it moved none in the end. A refund is a payout and counts as money out. Days without a payment are there, with zeros.
 */
export function cashFlow(payments: readonly FlowPayment[], frame: CashFlowFrame): CashFlow {
  const dates = datesOf(frame)
  const borders = bordersOf(dates)
  const from = Date.parse(frame.completeFrom ?? '')
  const days = dates.map((date, at) => ((borders[at] ?? 0) < from ? notRead(date) : emptyDay(date)))
  let unreadable = 0
  for (const payment of payments.filter(({ status }) => status === 'paid')) {
    const day = days[dayAt(borders, Date.parse(payment.effective_at ?? ''))]
    const amount = amountOf(payment, frame.unit)
    if (!day?.read) continue
    if (amount === null) unreadable += 1
    else add(day, payment, amount)
  }
  const sum = (name: 'in' | 'out' | 'net') => days.reduce((total, day) => total + (day[name] ?? 0), 0)
  return { days, in: sum('in'), out: sum('out'), net: sum('net'), unreadable }
}
