import { getDateFormat } from './formats'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The time zone of banks and of payment dates (provider facts 3.1). */
export const bankZone = 'America/New_York'

export function parseTime(iso: string | null | undefined): number | null {
  const time = Date.parse(iso ?? '')
  return Number.isNaN(time) ? null : time
}

/** `40 s`, `12 min`, `3 h`, `6 d`. A negative sign is ignored. */
export function formatDuration(milliseconds: number): string {
  const absoluteDuration = Math.abs(milliseconds)
  if (absoluteDuration < minuteMs) return `${Math.floor(absoluteDuration / 1000)} s`
  if (absoluteDuration < hourMs) return `${Math.floor(absoluteDuration / minuteMs)} min`
  if (absoluteDuration < 2 * dayMs) return `${Math.floor(absoluteDuration / hourMs)} h`
  return `${Math.floor(absoluteDuration / dayMs)} d`
}

/** `3 h ago`, `in 2 d`, `just now`; null if the timestamp is invalid. */
export function formatRelativeTime(iso: string | null | undefined, now: number): string | null {
  const time = parseTime(iso)
  if (time === null) return null
  // A page updates `now` only from time to time, so a recent time can be slightly later than `now`.
  if (now - time < 5000 && time - now < 30_000) return 'just now'
  return time <= now ? `${formatDuration(now - time)} ago` : `in ${formatDuration(time - now)}`
}

export type DateStyle = { dateOrder: 'month_first' | 'day_first'; clock: '12' | '24' }

/** The default style: `Nov 22, 2026` and `2:05 PM`. */
export const usDateStyle: DateStyle = { dateOrder: 'month_first', clock: '12' }

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `2026-03-31`: the calendar date of an instant (milliseconds) in a time zone. */
export const toZoneDate = (time: number, zone: string): string =>
  getDateFormat('sv-SE', { timeZone: zone }).format(time)

/** `Mar 31, 2026`, or `31 Mar 2026`. `date` is a calendar date such as `2026-03-31`. */
export function formatDate(
  date: string,
  order: DateStyle['dateOrder'],
  { year: hasYear }: { year: boolean },
): string {
  const [year, month, day] = date.split('-').map(Number)
  const monthName = monthNames[Number(month) - 1]
  if (order === 'day_first') return `${day} ${monthName}${hasYear ? ` ${year}` : ''}`
  return `${monthName} ${day}${hasYear ? `, ${year}` : ''}`
}

/** Returns the time of day of an instant (milliseconds) in a time zone: `2:05 PM`, or `14:05`. */
export function formatTimeOfDay(
  time: number,
  zone: string,
  clock: DateStyle['clock'],
  { seconds }: { seconds: boolean },
): string {
  const hourOptions =
    clock === '12'
      ? ({ hour: 'numeric', hourCycle: 'h12' } as const)
      : ({ hour: '2-digit', hourCycle: 'h23' } as const)
  const timeFormat = getDateFormat('en-US', {
    timeZone: zone,
    ...hourOptions,
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
  })
  // Some Intl versions put a narrow space before AM and PM: server and browser would differ.
  return timeFormat.format(time).replace('\u202f', ' ')
}

/** `Mar 31, 2026`, or `31 Mar 2026`. Any other text is returned unchanged. */
export function formatDay(
  date: string,
  order: DateStyle['dateOrder'] = usDateStyle.dateOrder,
): string {
  return isCalendarDate(date) ? formatDate(date, order, { year: true }) : date
}

/** `Nov 22, 2026`, `Nov 16–22, 2026`, or `Oct 28 – Nov 3, 2026`. */
export function formatDayRange(first: string, last: string): string {
  if (first === last) return formatDay(first)
  const isSameYear = first.slice(0, 4) === last.slice(0, 4)
  const firstDayText = isSameYear ? formatDay(first).slice(0, -', 2026'.length) : formatDay(first)
  if (first.slice(0, 7) === last.slice(0, 7))
    return `${firstDayText}–${Number(last.slice(8))}, ${last.slice(0, 4)}`
  return `${firstDayText} – ${formatDay(last)}`
}

export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Returns the first instant (milliseconds) of a calendar date in a time zone. */
export function toDayStart(date: string, zone: string): number {
  const utcMidnight = Date.parse(`${date}T00:00:00Z`)
  const subtractOffset = (instant: number) => utcMidnight - (toZoneClock(instant, zone) - instant)
  // The offset can change between the two instants. A day on which the clock skips midnight begins
  // an hour later.
  const firstGuess = subtractOffset(utcMidnight)
  const guesses = [firstGuess, subtractOffset(firstGuess)].sort((one, other) => one - other)
  return guesses.find((guess) => toZoneDate(guess, zone) === date) ?? firstGuess
}

/** Returns the date and time that a clock of the zone shows, as milliseconds in UTC. */
const toZoneClock = (instant: number, zone: string): number =>
  Date.parse(
    `${getDateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(instant).replace(' ', 'T')}Z`,
  )

/** Returns the last millisecond of a calendar date in a time zone. */
export function toDayEnd(date: string, zone: string): number {
  const nextDate = new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
  return toDayStart(nextDate, zone) - 1
}

/** Returns the first instant after the millisecond that a filter includes as its end. */
export const toExclusiveEnd = (iso: string): Date => new Date(Date.parse(iso) + 1)

export const toNewYorkDate = (now: number): string => toZoneDate(now, bankZone)

export const toNewYorkHour = (now: number): number =>
  Number(
    getDateFormat('en-US', { timeZone: bankZone, hour: '2-digit', hourCycle: 'h23' }).format(now),
  )

export function getMonthStart(date: string): string {
  return `${date.slice(0, 7)}-01`
}

export function getTimestampDaysBefore(now: number, days: number): string {
  return new Date(now - days * dayMs).toISOString()
}
