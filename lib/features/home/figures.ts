import { dayAfter, newYorkTime } from '@/lib/domain/bank-time'
import { kindOf } from '@/lib/domain/payment-kind'

/**
 * Paid payments that settled on one day in New York; `day` is null if it is not known. `minor` sums the readable amounts in cents;
 * `unreadable` counts the others.
 */
export type Settled = {
  day: string | null
  type: string
  refund: boolean | null
  currency: string | null
  count: number
  minor: number
  unreadable: number
}

/**
 * One calendar day in New York, in minor units: `in` is the sum of charges, `out` the sum of payouts (refunds included), `net` the
 * difference.
 */
export type CashDay = { date: string; in: number; out: number; net: number; charges: number; payouts: number; refunds: number }

/** The days, oldest first, and their sums. `unreadable` payments have an unknown kind, day, amount or currency. */
export type CashFlow = { days: CashDay[]; in: number; out: number; net: number; unreadable: number }

/** `today` is a date in New York. */
type CashFlowFrame = { today: string; days: number }

/** Returns the calendar dates of a frame, oldest first; today is the last. */
export const datesOf = ({ today, days }: CashFlowFrame): string[] => Array.from({ length: days }, (_, at) => dayAfter(today, at - days + 1))

/** Returns the start of a frame for the search: midnight in New York of its first date, as ISO. */
export const startOf = (frame: CashFlowFrame): string => new Date(newYorkTime(dayAfter(frame.today, 1 - frame.days), '00:00')).toISOString()

const emptyDay = (date: string): CashDay => ({ date, in: 0, out: 0, net: 0, charges: 0, payouts: 0, refunds: 0 })

function add(day: CashDay, { type, refund, minor, count, unreadable }: Settled): void {
  const read = count - unreadable
  if (type === 'charge') {
    day.in += minor
    day.charges += read
  } else {
    day.out += minor
    day.payouts += read
    if (refund) day.refunds += read
  }
  day.net = day.in - day.out
}

/**
 * Sums money in and out per day in New York, by the time the money settled (`effective_at`). Only `paid` payments count: a reversed one
 * moved no money in the end. A refund is a payout and counts as money out. Days without a payment contain zeros. Other currencies are never
 * added; they count as unreadable.
 */
export function cashFlow(settled: readonly Settled[], frame: CashFlowFrame): CashFlow {
  const days = new Map(datesOf(frame).map((date) => [date, emptyDay(date)]))
  let unreadable = 0
  for (const group of settled) {
    const day = days.get(group.day ?? '')
    if (group.day !== null && !day) continue
    if (!day || kindOf(group.type) === null || group.currency !== 'USD') {
      unreadable += group.count
      continue
    }
    unreadable += group.unreadable
    add(day, group)
  }
  const all = [...days.values()]
  const sum = (name: 'in' | 'out' | 'net') => all.reduce((total, day) => total + day[name], 0)
  return { days: all, in: sum('in'), out: sum('out'), net: sum('net'), unreadable }
}

/** Nacha counts over the preceding 60 days, today included. */
export const returnDays = 60

/** The codes of a kind of return, and the share of debits it must stay below. `codes` null means every return. */
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

/** The provider contacts an account near half of a limit (provider facts 2.20), so warnings start there. */
export const warnShare = 0.5

/** Number of charges with the same end. */
export type Ended = { status: string; source: string | null; code: string | null; count: number }

/** `none`: no debit was sent, so there is no rate. `warn` starts at half of the limit, `over` at the limit itself. */
export type ReturnState = 'none' | 'fine' | 'warn' | 'over'

/** One rate: `rate` is a share of one, null if no debit was sent. */
export type ReturnRate = ReturnLimit & { returned: number; rate: number | null; state: ReturnState }

/** All rates over the same debits, and the number of returns with each code, most frequent first. `uncoded` returns have no code. */
export type ReturnRates = {
  debits: number
  returned: number
  rates: ReturnRate[]
  codes: { code: string; count: number }[]
  uncoded: number
}

/** Returns the payment dates of the window that ends today (a date in New York), both inclusive. */
export const returnWindow = (today: string): { from: string; to: string } => ({ from: dayAfter(today, 1 - returnDays), to: today })

const returnedBy = ['bank_decline', 'customer_dispute']
const ownSources = ['watchtower', 'user_action', 'system']

/** Returns the code of an ACH return; null if it is none. */
const codeOf = ({ code }: Pick<Ended, 'code'>) => (/^R\d\d$/.test(code ?? '') ? code : null)

/**
 * True if failed or reversed charges came back from the bank. A charge that failed the service's own check was never sent. This holds even
 * if it has the code that blocked the bank account before (`invalid_paykey`, provider facts 3.1).
 */
export function isReturned({ status, source: named, code }: Omit<Ended, 'count'>): boolean {
  if (status === 'reversed') return true
  const source = named?.toLowerCase() ?? ''
  return status === 'failed' && (returnedBy.includes(source) || (codeOf({ code }) !== null && !ownSources.includes(source)))
}

function stateOf(rate: number | null, limit: number): ReturnState {
  if (rate === null) return 'none'
  if (rate >= limit) return 'over'
  return rate >= limit * warnShare ? 'warn' : 'fine'
}

/**
 * Returns the return rates over one window. A debit is a charge with its payment date in the window that was sent to the bank: it is
 * pending or paid (`kept`, a count), or it came back (those of `ended` that `isReturned`). A rate is the number of debits that came back
 * for one of the codes, divided by all debits. Payouts are credits and count in neither. Nacha counts each originator, hence each account,
 * separately.
 */
export function returnRates(kept: number, ended: readonly Ended[]): ReturnRates {
  const counts = new Map<string, number>()
  let returned = 0
  for (const group of ended.filter(isReturned)) {
    const code = codeOf(group)
    returned += group.count
    if (code) counts.set(code, (counts.get(code) ?? 0) + group.count)
  }
  const debits = kept + returned
  const rates = returnLimits.map((limit) => {
    const count = limit.codes ? limit.codes.reduce((sum, code) => sum + (counts.get(code) ?? 0), 0) : returned
    const rate = debits === 0 ? null : count / debits
    return { ...limit, returned: count, rate, state: stateOf(rate, limit.limit) }
  })
  const codes = [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count || a.code.localeCompare(b.code))
  const coded = codes.reduce((sum, { count }) => sum + count, 0)
  return { debits, returned, rates, codes, uncoded: returned - coded }
}
