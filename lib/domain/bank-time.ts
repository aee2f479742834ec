import { bankDay } from '@/lib/dates'
import { isBankHoliday } from './bank-time-holidays'

/** Bank clocks run in New York; payment dates are counted there too (provider facts 3.1). */
export const bankZone = 'America/New_York'

/** A moment of a banking day after which something waits for the next one. `at` is the clock in New York. */
export type CutOff = { id: string; name: string; at: `${number}:${number}` }

/**
 * The cut-offs of every banking day, earliest first. The windows are those of same-day ACH at the Federal Reserve; the last is the provider's:
 * a proof that is in by then lets a held payment go with the next window (product 4.2). A bank with other hours changes this table alone.
 */
export const cutOffs = [
  { id: 'same_day_first', name: 'Same-day ACH, first window', at: '10:30' },
  { id: 'same_day_second', name: 'Same-day ACH, second window', at: '14:45' },
  { id: 'same_day_last', name: 'Same-day ACH, last window', at: '16:45' },
  { id: 'proof', name: 'Proof for held payments', at: '19:00' },
] as const satisfies readonly CutOff[]

/** The cut-off that decides whether a held payment leaves on its day. */
export const heldCutOff = cutOffs[3]

/** A cut-off of one day, as an ISO instant. */
export type CutOffTime = { id: string; name: string; at: string }

/** When a payment of some date has to be decided. `missed`: its own cut-off has passed, and `at` is the next there is. */
export type Due = { at: string; missed: boolean }

/** The calendar date some days later (or earlier) than another; both `2026-03-31`. */
export function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Whether banks settle on a calendar date: neither a weekend nor a holiday of the Federal Reserve. */
export function isBankingDay(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isBankHoliday(date)
}

/** The date itself where it is a banking day, else the first one after it. */
export function bankingDayFrom(date: string): string {
  return isBankingDay(date) ? date : bankingDayFrom(dayAfter(date, 1))
}

const wallClock = new Intl.DateTimeFormat('en-US', {
  timeZone: bankZone,
  hourCycle: 'h23',
  ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
})

/** What a clock in New York shows at an instant, read as if it were UTC. */
function shownAt(instant: number): number {
  const part = Object.fromEntries(wallClock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day ?? 1, part.hour ?? 0, part.minute ?? 0)
}

/**
 * The instant (milliseconds) at which a clock in New York shows a date and a time. Times between 2:00 and 3:00 do not exist on the day the
 * clocks go forward; no cut-off lies there.
 */
export function newYorkTime(date: string, clock: string): number {
  const wanted = Date.parse(`${date}T${clock}:00Z`)
  const guess = wanted + (wanted - shownAt(wanted))
  // The first guess is an hour off where the clocks change between it and the answer.
  return guess + (wanted - shownAt(guess))
}

const cutOffsOn = (date: string): CutOffTime[] =>
  cutOffs.map(({ id, name, at }) => ({ id, name, at: new Date(newYorkTime(date, at)).toISOString() }))

/** The next cut-off of any kind after an instant (milliseconds). */
export function nextCutOff(now: number): CutOffTime {
  const first = bankingDayFrom(bankDay(now))
  const all = [...cutOffsOn(first), ...cutOffsOn(bankingDayFrom(dayAfter(first, 1)))]
  const next = all.find((cutOff) => Date.parse(cutOff.at) > now)
  if (!next) throw new Error('no banking day has a cut-off')
  return next
}

/** By when a held payment has to be decided so that it leaves on its payment date, seen from `now` (milliseconds). */
export function dueBy(paymentDate: string, now: number): Due {
  const own = newYorkTime(bankingDayFrom(paymentDate), heldCutOff.at)
  if (own > now) return { at: new Date(own).toISOString(), missed: false }
  const today = newYorkTime(bankingDayFrom(bankDay(now)), heldCutOff.at)
  const next = today > now ? today : newYorkTime(bankingDayFrom(dayAfter(bankDay(now), 1)), heldCutOff.at)
  return { at: new Date(next).toISOString(), missed: true }
}
