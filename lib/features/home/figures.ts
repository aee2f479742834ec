import { dayAfter, newYorkTime } from '@/lib/domain/bank-time'
import { kindOf } from '@/lib/domain/payment-kind'
import { isUnreadable } from '@/lib/domain/unreadable-rules'
import { type AmountUnit, minorUnits } from '@/lib/money'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

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
type CashFlowFrame = { today: string; days: number; unit: AmountUnit; completeFrom: string | null }

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

/**
 * Minor units; null for an amount that is not understood, for one in another currency, which must not be added up with the rest, and where nobody can
 * say whether it went in or out.
 */
const amountOf = (payment: FlowPayment, unit: AmountUnit): number | null =>
  payment.currency === 'USD' && kindOf(payment.payment_type) !== null ? minorUnits(payment.amount, unit) : null

/** Whether nobody can say if money moved, or on which day. */
const isUnclear = (payment: FlowPayment): boolean => payment.status === '' || isUnreadable(payment, 'effective_at')

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
  let unreadable = payments.filter(isUnclear).length
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

/** Nacha counts over the preceding 60 days, today among them. */
export const returnDays = 60

/** Codes a return belongs to, and the share of debits it must stay below. `codes` null: every return. */
type ReturnLimit = {
  id: 'unauthorized' | 'administrative' | 'overall'
  name: string
  codes: readonly string[] | null
  limit: number
}

/** Nacha's limits as shares of one (provider facts 2.20). */
export const returnLimits: readonly ReturnLimit[] = [
  { id: 'unauthorized', name: 'Unauthorized', codes: ['R05', 'R07', 'R10', 'R29', 'R51'], limit: 0.005 },
  { id: 'administrative', name: 'Administrative', codes: ['R02', 'R03', 'R04'], limit: 0.03 },
  { id: 'overall', name: 'All returns', codes: null, limit: 0.15 },
]

/** The provider contacts an account near half of a limit (provider facts 2.20), so that is where we begin to warn. */
export const warnShare = 0.5

/** The part of a payment that return rates are computed from. */
export type ReturnPayment = Pick<PaymentSummary, 'status' | 'status_details'>

/** `none`: no debit was sent, so there is no rate. `warn` begins at half of the limit, `over` at the limit itself. */
export type ReturnState = 'none' | 'fine' | 'warn' | 'over'

/** One rate: `rate` is a share of one, null where no debit was sent. */
export type ReturnRate = ReturnLimit & { returned: number; rate: number | null; state: ReturnState }

/** All rates over the same debits, and how often each code came, most first. `uncoded` returns came without a code. */
export type ReturnRates = {
  debits: number
  returned: number
  rates: ReturnRate[]
  codes: { code: string; count: number }[]
  uncoded: number
}

/** The payment dates of the window that ends today (a date in New York), both inclusive. */
export const returnWindow = (today: string): { from: string; to: string } => ({ from: dayAfter(today, 1 - returnDays), to: today })

const returnedBy = ['bank_decline', 'customer_dispute']
const ownSources = ['watchtower', 'user_action', 'system']

/** The code of an ACH return; null where there is none. */
const codeOf = ({ status_details }: ReturnPayment) => (/^R\d\d$/.test(status_details?.code ?? '') ? (status_details?.code ?? null) : null)

/**
 * Whether a failed or reversed charge came back from the bank. One that the service's own check failed never left: also where it names the
 * code that blocked the bank account before (`invalid_paykey`, provider facts 3.1).
 */
export function isReturned(payment: ReturnPayment): boolean {
  if (payment.status === 'reversed') return true
  const source = payment.status_details?.source?.toLowerCase() ?? ''
  return payment.status === 'failed' && (returnedBy.includes(source) || (codeOf(payment) !== null && !ownSources.includes(source)))
}

function stateOf(rate: number | null, limit: number): ReturnState {
  if (rate === null) return 'none'
  if (rate >= limit) return 'over'
  return rate >= limit * warnShare ? 'warn' : 'fine'
}

/**
 * Return rates over one window. A debit is a charge whose payment date lies in the window and that was sent to the bank: it is pending or paid
 * (`kept`, a count), or it came back (those of `ended` that `isReturned`). A rate is the debits that came back for one of the codes,
 * divided by all debits. Payouts are credits and count in neither. Nacha counts each originator, hence each account, for itself.
 */
export function returnRates(kept: number, ended: readonly ReturnPayment[]): ReturnRates {
  const returned = ended.filter(isReturned)
  const counts = new Map<string, number>()
  for (const payment of returned) {
    const code = codeOf(payment)
    if (code) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  const debits = kept + returned.length
  const rates = returnLimits.map((limit) => {
    const count = limit.codes ? limit.codes.reduce((sum, code) => sum + (counts.get(code) ?? 0), 0) : returned.length
    const rate = debits === 0 ? null : count / debits
    return { ...limit, returned: count, rate, state: stateOf(rate, limit.limit) }
  })
  const codes = [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count || a.code.localeCompare(b.code))
  const coded = codes.reduce((sum, { count }) => sum + count, 0)
  return { debits, returned: returned.length, rates, codes, uncoded: returned.length - coded }
}
