import { bankZone, isCalendarDate, toNewYorkDate } from '@/lib/dates'
import { getDateFormat } from '@/lib/formats'

const getWeekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
const toIsoDate = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

/** `weekday` 0 is Sunday; `month` is 1 to 12. */
function getNthWeekday(year: number, month: number, weekday: number, n: number): string {
  const firstWeekday = getWeekday(toIsoDate(year, month, 1))
  return toIsoDate(year, month, 1 + ((weekday - firstWeekday + 7) % 7) + (n - 1) * 7)
}

function getLastWeekday(year: number, month: number, weekday: number): string {
  const lastDay = toIsoDate(year, month + 1, 0)
  return toIsoDate(
    year,
    month,
    Number(lastDay.slice(8)) - ((getWeekday(lastDay) - weekday + 7) % 7),
  )
}

/**
 * Moves a holiday on a Sunday to Monday. A holiday on a Saturday does not move (Federal Reserve,
 * holiday rule).
 */
function toObservedDate(date: string): string {
  return getWeekday(date) === 0
    ? toIsoDate(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8)) + 1)
    : date
}

const holidayRules: readonly { name: string; on: (year: number) => string }[] = [
  { name: 'New Year’s Day', on: (year) => toObservedDate(toIsoDate(year, 1, 1)) },
  { name: 'Birthday of Martin Luther King, Jr.', on: (year) => getNthWeekday(year, 1, 1, 3) },
  { name: 'Washington’s Birthday', on: (year) => getNthWeekday(year, 2, 1, 3) },
  { name: 'Memorial Day', on: (year) => getLastWeekday(year, 5, 1) },
  { name: 'Juneteenth', on: (year) => toObservedDate(toIsoDate(year, 6, 19)) },
  { name: 'Independence Day', on: (year) => toObservedDate(toIsoDate(year, 7, 4)) },
  { name: 'Labor Day', on: (year) => getNthWeekday(year, 9, 1, 1) },
  { name: 'Columbus Day', on: (year) => getNthWeekday(year, 10, 1, 2) },
  { name: 'Veterans Day', on: (year) => toObservedDate(toIsoDate(year, 11, 11)) },
  { name: 'Thanksgiving Day', on: (year) => getNthWeekday(year, 11, 4, 4) },
  { name: 'Christmas Day', on: (year) => toObservedDate(toIsoDate(year, 12, 25)) },
]

/** Computed by rule, so no table must be extended each year. */
export const listBankHolidays = (year: number): { name: string; date: string }[] =>
  holidayRules.map(({ name, on }) => ({ name, date: on(year) }))

const holidaysByYear = new Map<string, ReadonlyMap<string, string>>()

/** Cached because a page looks up hundreds of days of the same two years. */
function getHolidays(year: string): ReadonlyMap<string, string> {
  const holidayNamesByDate =
    holidaysByYear.get(year) ??
    new Map(listBankHolidays(Number(year)).map(({ name, date }) => [date, name]))
  holidaysByYear.set(year, holidayNamesByDate)
  return holidayNamesByDate
}

export const findBankHoliday = (date: string): string | null =>
  getHolidays(date.slice(0, 4)).get(date) ?? null

/** `at` is the time in New York. */
type CutOff = { id: string; name: string; at: `${number}:${number}` }

/**
 * Earliest first. The same-day ACH windows are those of the Federal Reserve. The last cut-off is
 * the provider's: if the proof for a held payment arrives before this time, the payment leaves in
 * the next window (product 4.2). For a bank with other hours, change only this table.
 */
export const cutOffs = [
  { id: 'same_day_first', name: 'Same-day ACH, first window', at: '10:30' },
  { id: 'same_day_second', name: 'Same-day ACH, second window', at: '14:45' },
  { id: 'same_day_last', name: 'Same-day ACH, last window', at: '16:45' },
  { id: 'proof', name: 'Proof for held payments', at: '19:00' },
] as const satisfies readonly CutOff[]

/** The last cut-off of the day: a payment sent or released before it leaves on the same day. */
export const heldPaymentCutOff = cutOffs[3]

export const sameDayCutOffs: readonly CutOff[] = cutOffs.slice(0, 3)

/** `at` is an ISO timestamp. */
export type DatedCutOff = { id: string; name: string; at: string }

/** If the cut-off of the payment date has passed, `missed` is true and `at` the next cut-off. */
export type PaymentDeadline = { at: string; missed: boolean }

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

export function isBankingDay(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && findBankHoliday(date) === null
}

export function rollToBankingDay(date: string): string {
  return isBankingDay(date) ? date : rollToBankingDay(addDays(date, 1))
}

const newYorkFormat = getDateFormat('en-US', {
  timeZone: bankZone,
  hourCycle: 'h23',
  ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
})

/** The clock time in New York at an instant, as the milliseconds of the same time in UTC. */
function toNewYorkWallTime(instant: number): number {
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

/** Times from 2:00 to 3:00 do not exist on the day summer time starts, but no cut-off is there. */
export function parseNewYorkTime(date: string, clock: string): number {
  const targetTime = Date.parse(`${date}T${clock}:00Z`)
  const guessedTime = targetTime + (targetTime - toNewYorkWallTime(targetTime))
  // `guessedTime` is an hour off if the clocks change between `guessedTime` and the result.
  return guessedTime + (targetTime - toNewYorkWallTime(guessedTime))
}

const listDatedCutOffs = (date: string, selectedCutOffs: readonly CutOff[]): DatedCutOff[] =>
  selectedCutOffs.map(({ id, name, at }) => ({
    id,
    name,
    at: new Date(parseNewYorkTime(date, at)).toISOString(),
  }))

/** `selectedCutOffs` must be in time order; `now` is in milliseconds. */
export function findNextCutOff(now: number, selectedCutOffs: readonly CutOff[]): DatedCutOff {
  const firstBankingDay = rollToBankingDay(toNewYorkDate(now))
  const candidateCutOffs = [firstBankingDay, rollToBankingDay(addDays(firstBankingDay, 1))].flatMap(
    (date) => listDatedCutOffs(date, selectedCutOffs),
  )
  const nextCutOff = candidateCutOffs.find((cutOff) => Date.parse(cutOff.at) > now)
  if (!nextCutOff) throw new Error('no banking day has a cut-off')
  return nextCutOff
}

/** The deadline for sending or releasing a payment so that it leaves on its payment date. */
export function getPaymentDeadline(paymentDate: string, now: number): PaymentDeadline {
  const deadlineTime = parseNewYorkTime(rollToBankingDay(paymentDate), heldPaymentCutOff.at)
  if (deadlineTime > now) return { at: new Date(deadlineTime).toISOString(), missed: false }
  return { at: findNextCutOff(now, [heldPaymentCutOff]).at, missed: true }
}

/** The banking day on which a payment leaves unless it is held. */
export const getDepartureDay = (paymentDate: string, now: number): string =>
  toNewYorkDate(Date.parse(getPaymentDeadline(paymentDate, now).at))

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Monday, Nov 23`, with the year if it differs from the year of `today`. */
export function formatWeekday(date: string, today: string): string {
  const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]
  const weekdayAndDate = `${weekday}, ${months[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8))}`
  return date.slice(0, 4) === today.slice(0, 4)
    ? weekdayAndDate
    : `${weekdayAndDate}, ${date.slice(0, 4)}`
}

export function formatClockTime(at: `${number}:${number}`): string {
  const [hour = 0, minute = ''] = [Number(at.split(':')[0]), at.split(':')[1]]
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'} in New York`
}

/** `when` is "today" or a day. `why` is null if that day is the payment date. */
type DepartureDescription = { when: string; why: string | null; missed: boolean }

function explainLaterDeparture(date: string, today: string, missed: boolean): string | null {
  if (missed)
    return date === today
      ? `The cut-off of today, ${formatClockTime(heldPaymentCutOff.at)}, has passed`
      : `${formatWeekday(date, today)} has passed`
  if (isBankingDay(date)) return null
  const holiday = findBankHoliday(date)
  return `${formatWeekday(date, today)} is not a banking day${holiday ? ` (${holiday})` : ''}`
}

export function describeDeparture(date: string, now: number): DepartureDescription {
  const today = toNewYorkDate(now)
  const departureDay = getDepartureDay(date, now)
  const { missed } = getPaymentDeadline(date, now)
  return {
    when: departureDay === today ? 'today' : formatWeekday(departureDay, today),
    why: explainLaterDeparture(date, today, missed),
    missed,
  }
}

export function formatDeparture(date: string, now: number): string {
  if (!isCalendarDate(date)) return 'A day in New York.'
  const { when, why } = describeDeparture(date, now)
  const sentClause = `the payment is sent ${when === 'today' ? when : `on ${when}`}`
  if (why !== null) return `${why}: ${sentClause}.`
  return when === 'today'
    ? `The payment is sent today; cut-off ${formatClockTime(heldPaymentCutOff.at)}.`
    : `The payment is sent on ${when}.`
}
