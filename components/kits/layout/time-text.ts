import { bankZone } from '@/lib/client/preferences'
import { timeOf } from '@/lib/dates'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format costs more than using it a hundred times. */
function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${zone} ${JSON.stringify(options)}`
  const known = formats.get(name) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone })
  formats.set(name, known)
  return known
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const day = { day: 'numeric', month: 'short' } as const

/** `14:05` today, `30 Mar 14:05` this year, `30 Mar 2025 14:05` before; all in `zone`, seen from `now` (milliseconds). Null where unreadable. */
export function momentText(iso: string | null | undefined, zone: string, now: number): string | null {
  const time = timeOf(iso)
  if (time === null) return null
  const dayOf = (at: number) => formatOf(zone, { ...day, year: 'numeric' }).format(at)
  if (dayOf(time) === dayOf(now)) return formatOf(zone, clock).format(time)
  const sameYear = formatOf(zone, { year: 'numeric' }).format(time) === formatOf(zone, { year: 'numeric' }).format(now)
  const date = formatOf(zone, sameYear ? day : { ...day, year: 'numeric' }).format(time)
  return `${date}, ${formatOf(zone, clock).format(time)}`
}

/** The short name of a zone at an instant: `GMT-4` style where the browser knows no better; `UTC` for UTC. */
export function zoneText(zone: string, now: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' }).formatToParts(now)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? zone
}

/** The short name of a zone over summer and winter, for the head of a column that holds both: `ET`. The one of `now` where it has none. */
export function zoneHeadText(zone: string, now: number): string {
  if (zone === 'UTC') return 'UTC'
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortGeneric' }).formatToParts(now)
  const generic = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  return /^[A-Z]{2,4}$/.test(generic) ? generic : zoneText(zone, now)
}

/** A moment with everything that makes it one, for where nobody can hover: `31 Mar 2026, 13:05:09 EDT`. Takes milliseconds. */
export const wholeMomentText = (time: number, zone: string): string =>
  `${formatOf(zone, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)} ${zoneText(zone, time)}`

/** The whole moment on one's own clock, in UTC and on the banks' clock, a line each, for the tooltip; equal clocks share a line. */
export function fullMomentText(iso: string, mine: string): string {
  const time = timeOf(iso)
  if (time === null) return iso
  const write = (zone: string) => wholeMomentText(time, zone)
  const clocks: [string, string][] = [
    ['mine', mine],
    ['', 'UTC'],
    ['New York', bankZone],
  ]
  const lines = new Map<string, string[]>()
  for (const [name, zone] of clocks) lines.set(write(zone), [...(lines.get(write(zone)) ?? []), name])
  const named = (names: string[]) => names.filter((name) => name !== '').join(', ')
  return [...lines].map(([moment, names]) => (named(names) === '' ? moment : `${moment} (${named(names)})`)).join('\n')
}
