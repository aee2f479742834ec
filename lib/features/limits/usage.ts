import { bankDay, monthStart } from '@/lib/dates'
import { dayAfter, isBankingDay } from '@/lib/domain/bank-time'
import { usesLimit } from '@/lib/domain/holds/limit-checks'
import type { LimitName, LimitSet } from '@/lib/domain/limit-labels'
import type { Tone } from '@/lib/domain/status'
import { numberFormat } from '@/lib/formats'

/** What the payments of one day add up to; minor units. */
export type DayUse = { date: string; amount: number; count: number }

/**
 * What an account has used of the limits of one payment type, by our own adding: the day and the calendar month in New York. `days` are the days
 * with payments from the beginning of the search on, oldest first. `atLeast`: not every payment was read, so each figure may be more. `unreadable`
 * payments could not be read, or have a state, a date or an amount that was not understood, or another currency, and are in none of the sums.
 */
export type LimitUsage = {
  today: string
  day: { amount: number; count: number }
  month: { amount: number; count: number }
  days: DayUse[]
  atLeast: boolean
  unreadable: number
}

/** How many banking days the pace of a forecast is taken from. */
export const paceDays = 14

/** The dates of the banking days before today, newest first. Today is left out: it is not over. */
export function bankingDaysBefore(today: string, count: number): string[] {
  const found: string[] = []
  for (let date = dayAfter(today, -1); found.length < count; date = dayAfter(date, -1)) if (isBankingDay(date)) found.push(date)
  return found
}

/** The last day of the calendar month a date lies in. */
export const monthEnd = (date: string): string =>
  new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).toISOString().slice(0, 10)

/** The payment dates a reading has to cover at `now` (milliseconds): the whole month, and the banking days the pace is taken from. */
export function usageDates(now: number): { today: string; from: string; to: string } {
  const today = bankDay(now)
  const [from = today] = [...bankingDaysBefore(today, paceDays), monthStart(today)].sort()
  return { today, from, to: monthEnd(today) }
}

/** Payments of one type that are alike in these; `minor` is the sum of the amounts that could be read, in cents, and `unreadable` counts the others. */
type PaymentSum = { date: string | null; status: string | null; currency: string | null; count: number; minor: number; unreadable: number }

/** How many of these are in no sum: nobody can say if, on which day or with how much they use a limit. */
function unreadIn({ status, date, currency, count, unreadable }: PaymentSum): number {
  if (status && !usesLimit({ status })) return 0
  return status && date && currency === 'USD' ? unreadable : count
}

const sumOf = (days: readonly DayUse[]) => ({
  amount: days.reduce((sum, day) => sum + day.amount, 0),
  count: days.reduce((sum, day) => sum + day.count, 0),
})

/**
 * Adds up what payments of one type use of the limits, by their payment date (provider facts 2.19). `unread` is how many there are besides that could not be
 * read at all; null is that nobody knows of all payments yet. The figures are lower bounds then, as where anything could not be read, and say so.
 */
export function limitUsage(sums: readonly PaymentSum[], today: string, unread: number | null = 0): LimitUsage {
  const days = new Map<string, DayUse>()
  for (const { status, date, currency, minor, count } of sums) {
    if (!date || !status || !usesLimit({ status })) continue
    const day = days.get(date) ?? { date, amount: 0, count: 0 }
    days.set(date, { date, amount: day.amount + (currency === 'USD' ? minor : 0), count: day.count + count })
  }
  const unreadable = sums.reduce((all, sum) => all + unreadIn(sum), unread ?? 0)
  const sorted = [...days.values()].sort((one, other) => one.date.localeCompare(other.date))
  const inMonth = sorted.filter(({ date }) => date.slice(0, 7) === today.slice(0, 7))
  return {
    today,
    day: sumOf(sorted.filter(({ date }) => date === today)),
    month: sumOf(inMonth),
    days: sorted,
    atLeast: unread === null || unreadable > 0,
    unreadable,
  }
}

/** How much of a limit is used: minor units, or a count. `share` is used over limit, 1 being all of it; null where no limit is stated. */
export type Headroom = {
  name: Exclude<LimitName, 'max_amount'>
  used: number
  limit: number | undefined
  left: number | null
  share: number | null
}

/** The spans that are used up over time; the limit of one payment is not. */
const spans = ['daily_amount', 'monthly_amount', 'monthly_count'] as const

const usedOf: Record<(typeof spans)[number], (usage: LimitUsage) => number> = {
  daily_amount: (usage) => usage.day.amount,
  monthly_amount: (usage) => usage.month.amount,
  monthly_count: (usage) => usage.month.count,
}

/** What is used and left of each limit of a payment type, by our own adding. A limit of zero is used up by the first payment. */
export function headroomOf(usage: LimitUsage, limits: LimitSet): Headroom[] {
  return spans.map((name) => {
    const [used, limit] = [usedOf[name](usage), limits[name]]
    if (limit === undefined) return { name, used, limit, left: null, share: null }
    return { name, used, limit, left: limit - used, share: limit > 0 ? used / limit : 1 }
  })
}

/** The limit of which the largest share is used; null where none is stated. */
export function tightestOf(rooms: readonly Headroom[]): Headroom | null {
  return rooms.reduce<Headroom | null>((found, room) => ((room.share ?? -1) > (found?.share ?? -1) ? room : found), null)
}

/** From which share on a limit deserves a look. */
const near = 0.8

/** The tone of a share: used up, near, or with room. */
export const shareTone = (share: number | null): Tone => {
  if (share === null) return 'neutral'
  return share >= 1 ? 'bad' : share >= near ? 'held' : 'good'
}

/** A share as people read it: `82%`, `0.4%` for what would round to nothing, never 100% for less. */
export function shareText(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return `${numberFormat('en-US', { maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(percent)}%`
  return `${(percent < 100 ? Math.min(99, Math.round(percent)) : Math.round(percent)).toLocaleString('en-US')}%`
}
