import { bankZone, isCalendarDate, toNewYorkDate } from '@/lib/dates'
import { getDateFormat } from '@/lib/formats'

const getWeekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
const toIsoDate = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

/**
 * Returns the date of the n-th `weekday` (0 is Sunday) in a month (1 to 12), such as the third
 * Monday.
 */
function nthWeekday(year: number, month: number, weekday: number, n: number): string {
  const firstWeekday = getWeekday(toIsoDate(year, month, 1))
  return toIsoDate(year, month, 1 + ((weekday - firstWeekday + 7) % 7) + (n - 1) * 7)
}

/** Returns the date of the last `weekday` (0 is Sunday) in a month (1 to 12). */
function lastWeekday(year: number, month: number, weekday: number): string {
  const lastDay = toIsoDate(year, month + 1, 0)
  return toIsoDate(
    year,
    month,
    Number(lastDay.slice(8)) - ((getWeekday(lastDay) - weekday + 7) % 7),
  )
}

/**
 * Returns the day on which banks observe a holiday: Monday for a Sunday. A Saturday does not move
 * (Federal Reserve, holiday rule).
 */
function toObservedDate(date: string): string {
  return getWeekday(date) === 0
    ? toIsoDate(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)) + 1)
    : date
}

const holidayRules: readonly { name: string; on: (year: number) => string }[] = [
  { name: 'New Year’s Day', on: (year) => toObservedDate(toIsoDate(year, 1, 1)) },
  { name: 'Birthday of Martin Luther King, Jr.', on: (year) => nthWeekday(year, 1, 1, 3) },
  { name: 'Washington’s Birthday', on: (year) => nthWeekday(year, 2, 1, 3) },
  { name: 'Memorial Day', on: (year) => lastWeekday(year, 5, 1) },
  { name: 'Juneteenth', on: (year) => toObservedDate(toIsoDate(year, 6, 19)) },
  { name: 'Independence Day', on: (year) => toObservedDate(toIsoDate(year, 7, 4)) },
  { name: 'Labor Day', on: (year) => nthWeekday(year, 9, 1, 1) },
  { name: 'Columbus Day', on: (year) => nthWeekday(year, 10, 1, 2) },
  { name: 'Veterans Day', on: (year) => toObservedDate(toIsoDate(year, 11, 11)) },
  { name: 'Thanksgiving Day', on: (year) => nthWeekday(year, 11, 4, 4) },
  { name: 'Christmas Day', on: (year) => toObservedDate(toIsoDate(year, 12, 25)) },
]

/**
 * The Federal Reserve holidays of a year, in order. They are computed by rule, so no table must be
 * extended each year.
 */
export const listBankHolidays = (year: number): { name: string; date: string }[] =>
  holidayRules.map(({ name, on }) => ({ name, date: on(year) }))

const holidayCache = new Map<string, ReadonlyMap<string, string>>()

/**
 * The holidays of a year by date, cached because a page looks up hundreds of days of the same two
 * years.
 */
function getHolidays(year: string): ReadonlyMap<string, string> {
  const holidays =
    holidayCache.get(year) ??
    new Map(listBankHolidays(Number(year)).map(({ name, date }) => [date, name]))
  holidayCache.set(year, holidays)
  return holidays
}

/** The observed Federal Reserve holiday on a calendar date, or null. */
export const findBankHoliday = (date: string): string | null =>
  getHolidays(date.slice(0, 4)).get(date) ?? null

/** A cut-off of a banking day. `at` is the time in New York. */
type CutOff = { id: string; name: string; at: `${number}:${number}` }

/**
 * The cut-offs of every banking day, earliest first. The same-day ACH windows are those of the
 * Federal Reserve. The last cut-off is that of the provider: a held payment leaves in the next
 * window if its proof arrives before this time (product 4.2). For a bank with other hours, change
 * only this table.
 */
export const cutOffs = [
  { id: 'same_day_first', name: 'Same-day ACH, first window', at: '10:30' },
  { id: 'same_day_second', name: 'Same-day ACH, second window', at: '14:45' },
  { id: 'same_day_last', name: 'Same-day ACH, last window', at: '16:45' },
  { id: 'proof', name: 'Proof for held payments', at: '19:00' },
] as const satisfies readonly CutOff[]

/** The last cut-off of the day: a payment sent or released before it leaves on the same day. */
export const heldCutOff = cutOffs[3]

/** The cut-offs whose windows settle on the same day. */
export const sameDayCutOffs: readonly CutOff[] = cutOffs.slice(0, 3)

/** A cut-off on one day, as an ISO timestamp. */
export type CutOffTime = { id: string; name: string; at: string }

/**
 * The deadline for a decision on a payment. If the cut-off of the payment date has passed, `missed`
 * is true, and `at` the next cut-off.
 */
export type PaymentDeadline = { at: string; missed: boolean }

/** Adds days to a calendar date; both `2026-03-31`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** True if banks settle on the date: no weekend and no Federal Reserve holiday. */
export function isBankingDay(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && findBankHoliday(date) === null
}

/** The date itself if it is a banking day, otherwise the next banking day. */
export function toBankingDay(date: string): string {
  return isBankingDay(date) ? date : toBankingDay(addDays(date, 1))
}

const newYorkFormat = getDateFormat('en-US', {
  timeZone: bankZone,
  hourCycle: 'h23',
  ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
})

/**
 * Returns the date and time that a clock in New York shows at an instant, as the milliseconds of
 * the same date and time in UTC.
 */
function toNewYorkClock(instant: number): number {
  const dateFields = Object.fromEntries(
    newYorkFormat.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  )
  return Date.UTC(
    dateFields.year ?? 0,
    (dateFields.month ?? 1) - 1,
    dateFields.day ?? 1,
    dateFields.hour ?? 0,
    dateFields.minute ?? 0,
  )
}

/**
 * The instant (milliseconds) of a date and time in New York. Times between 2:00 and 3:00 do not
 * exist on the day when summer time starts, but no cut-off is between them.
 */
export function parseNewYorkTime(date: string, clock: string): number {
  const targetTime = Date.parse(`${date}T${clock}:00Z`)
  const guess = targetTime + (targetTime - toNewYorkClock(targetTime))
  // `guess` is an hour off if the clocks change between `guess` and the result.
  return guess + (targetTime - toNewYorkClock(guess))
}

const listCutOffs = (date: string, selectedCutOffs: readonly CutOff[]): CutOffTime[] =>
  selectedCutOffs.map(({ id, name, at }) => ({
    id,
    name,
    at: new Date(parseNewYorkTime(date, at)).toISOString(),
  }))

/** The next cut-off after an instant (milliseconds), from a list in time order. */
export function findNextCutOff(now: number, selectedCutOffs: readonly CutOff[]): CutOffTime {
  const firstBankingDay = toBankingDay(toNewYorkDate(now))
  const candidateCutOffs = [firstBankingDay, toBankingDay(addDays(firstBankingDay, 1))].flatMap(
    (date) => listCutOffs(date, selectedCutOffs),
  )
  const nextCutOff = candidateCutOffs.find((cutOff) => Date.parse(cutOff.at) > now)
  if (!nextCutOff) throw new Error('no banking day has a cut-off')
  return nextCutOff
}

/**
 * Returns the deadline for sending or releasing a payment so that it leaves on its payment date.
 * `now` is in milliseconds.
 */
export function getPaymentDeadline(paymentDate: string, now: number): PaymentDeadline {
  const deadline = parseNewYorkTime(toBankingDay(paymentDate), heldCutOff.at)
  if (deadline > now) return { at: new Date(deadline).toISOString(), missed: false }
  return { at: findNextCutOff(now, [heldCutOff]).at, missed: true }
}

/**
 * Returns the banking day on which a payment leaves for the bank network unless it is held. `now`
 * is in milliseconds.
 */
export const getDepartureDay = (paymentDate: string, now: number): string =>
  toNewYorkDate(Date.parse(getPaymentDeadline(paymentDate, now).at))

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Returns a date with its weekday, `Monday, Nov 23`, and with the year if that differs from the
 * year of `today`.
 */
export function weekdayText(date: string, today: string): string {
  const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]
  const weekdayAndDate = `${weekday}, ${months[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8))}`
  return date.slice(0, 4) === today.slice(0, 4)
    ? weekdayAndDate
    : `${weekdayAndDate}, ${date.slice(0, 4)}`
}

/** Formats a cut-off time: `7:00 PM in New York`. */
export function clockText(at: `${number}:${number}`): string {
  const [hour = 0, minute = ''] = [Number(at.split(':')[0]), at.split(':')[1]]
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'} in New York`
}

/**
 * The parts of a sentence about when a payment leaves. `when` is "today" or a day. `why` is the
 * reason if that day is not the payment date; otherwise null. `missed` is true if the cut-off of
 * the payment date has passed.
 */
type Departure = { when: string; why: string | null; missed: boolean }

function explainLaterDeparture(date: string, today: string, missed: boolean): string | null {
  if (missed)
    return date === today
      ? `The cut-off of today, ${clockText(heldCutOff.at)}, has passed`
      : `${weekdayText(date, today)} has passed`
  if (isBankingDay(date)) return null
  const holiday = findBankHoliday(date)
  return `${weekdayText(date, today)} is not a banking day${holiday ? ` (${holiday})` : ''}`
}

export function describeDeparture(date: string, now: number): Departure {
  const today = toNewYorkDate(now)
  const departureDay = getDepartureDay(date, now)
  const { missed } = getPaymentDeadline(date, now)
  return {
    when: departureDay === today ? 'today' : weekdayText(departureDay, today),
    why: explainLaterDeparture(date, today, missed),
    missed,
  }
}

/**
 * Returns the result of `describeDeparture` as a sentence: "Leaves today; cut-off 7:00 PM in New
 * York." or "Sunday, Nov 22 is not a banking day: leaves Monday, Nov 23."
 */
export function departureText(date: string, now: number): string {
  if (!isCalendarDate(date)) return 'A day in New York.'
  const { when, why } = describeDeparture(date, now)
  if (why !== null) return `${why}: leaves ${when}.`
  return when === 'today' ? `Leaves today; cut-off ${clockText(heldCutOff.at)}.` : `Leaves ${when}.`
}
