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

/** The whole moment in the reader's zone and in UTC, for the tooltip. */
export function fullMomentText(iso: string, zone: string): string {
  const time = timeOf(iso)
  if (time === null) return iso
  const write = (inZone: string) =>
    `${formatOf(inZone, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)} ${zoneText(inZone, time)}`
  return zone === 'UTC' ? write('UTC') : `${write(zone)} = ${write('UTC')}`
}
