import { dateFormat } from './formats'

const minute = 60_000
const hour = 60 * minute
const dayLength = 24 * hour

/** Returns the milliseconds since the epoch of an ISO timestamp; null if it is invalid. */
export function timeOf(iso: string | null | undefined): number | null {
  const time = Date.parse(iso ?? '')
  return Number.isNaN(time) ? null : time
}

/** Returns a duration (milliseconds) in one unit: `40 s`, `12 min`, `3 h`, `6 d`. A negative sign is ignored. */
export function lengthText(milliseconds: number): string {
  const length = Math.abs(milliseconds)
  if (length < minute) return `${Math.floor(length / 1000)} s`
  if (length < hour) return `${Math.floor(length / minute)} min`
  if (length < 2 * dayLength) return `${Math.floor(length / hour)} h`
  return `${Math.floor(length / dayLength)} d`
}

/** Returns a relative time: `3 h ago`, `in 2 d`, `just now`. Null if the timestamp is invalid. `now` is in milliseconds. */
export function agoText(iso: string | null | undefined, now: number): string | null {
  const time = timeOf(iso)
  if (time === null) return null
  // The clock of a page moves in steps, so a recent time can be slightly later than `now`.
  if (now - time < 5000 && time - now < 30_000) return 'just now'
  return time <= now ? `${lengthText(now - time)} ago` : `in ${lengthText(time - now)}`
}

/** Returns the date `2026-03-31` as `31 Mar 2026`, without a time zone conversion. Any other text is returned unchanged. */
export function dayText(date: string): string {
  if (!isDay(date)) return date
  const month = dateFormat('en-US', { month: 'short', timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`))
  return `${Number(date.slice(8))} ${month} ${date.slice(0, 4)}`
}

/** Returns a range of dates in its shortest form: `22 Nov 2026`, `16–22 Nov 2026`, `28 Oct – 3 Nov 2026`. */
export function dayRangeText(first: string, last: string): string {
  if (first === last) return dayText(first)
  if (first.slice(0, 7) === last.slice(0, 7)) return `${Number(first.slice(8))}–${dayText(last)}`
  const from = first.slice(0, 4) === last.slice(0, 4) ? dayText(first).slice(0, -5) : dayText(first)
  return `${from} – ${dayText(last)}`
}

/** True for a calendar date that exists, such as `2026-03-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Returns the calendar date in New York, whose time zone applies to payment dates (provider facts 3.1). `now` is in milliseconds. */
export function bankDay(now: number): string {
  return dateFormat('sv-SE', { timeZone: 'America/New_York' }).format(now)
}

/** Returns the hour in New York, 0 to 23. `now` is in milliseconds. */
export const bankHour = (now: number): number =>
  Number(dateFormat('en-US', { timeZone: 'America/New_York', hour: '2-digit', hourCycle: 'h23' }).format(now))

export function monthStart(date: string): string {
  return `${date.slice(0, 7)}-01`
}

/** Returns the ISO timestamp `days` days before `now` (milliseconds). */
export function daysBefore(now: number, days: number): string {
  return new Date(now - days * dayLength).toISOString()
}
