'use client'

import { Badge } from '@/components/ui/tone'
import {
  bankZone,
  type DateStyle,
  formatDate,
  formatDay,
  formatDuration,
  formatRelativeTime,
  formatTimeOfDay,
  parseTime,
  toZoneDate,
} from '@/lib/dates'
import { getDateFormat } from '@/lib/formats'
import { useNow } from './browser-state'
import { usePreferences, useZone } from './preferences-context'

/** Returns `2:05 PM` today, `Mar 30, 2:05 PM` this year, else with the year. Null if not a time. */
export function formatMoment(
  iso: string | null | undefined,
  zone: string,
  now: number,
  style: DateStyle,
): string | null {
  const time = parseTime(iso)
  if (time === null) return null
  const timeText = formatTimeOfDay(time, zone, style.clock, { seconds: false })
  const [date, today] = [toZoneDate(time, zone), toZoneDate(now, zone)]
  if (date === today) return timeText
  const isSameYear = date.slice(0, 4) === today.slice(0, 4)
  return `${formatDate(date, style.dateOrder, { year: !isSameYear })}, ${timeText}`
}

function findZoneName(
  zone: string,
  timeZoneName: 'short' | 'shortGeneric',
  now: number,
): string | undefined {
  const dateParts = getDateFormat('en-US', { timeZone: zone, timeZoneName }).formatToParts(now)
  return dateParts.find((part) => part.type === 'timeZoneName')?.value
}

/** Returns the zone's short name (`EDT`), or `GMT-4` if there is none. `now`: milliseconds. */
export function formatZoneName(zone: string, now: number): string {
  return findZoneName(zone, 'short', now) ?? zone
}

/** Returns `ET` for summer and winter alike. If there is none, the name at `now` (`EDT`). */
export function formatGenericZoneName(zone: string, now: number): string {
  if (zone === 'UTC') return 'UTC'
  const genericZoneName = findZoneName(zone, 'shortGeneric', now) ?? ''
  return /^[A-Z]{2,4}$/.test(genericZoneName) ? genericZoneName : formatZoneName(zone, now)
}

/** Returns `Mar 31, 2026, 1:05:09 PM EDT`. `time` is in milliseconds. */
export const formatFullTime = (
  time: number,
  zone: string,
  { dateOrder, clock }: DateStyle,
): string =>
  `${formatDate(toZoneDate(time, zone), dateOrder, { year: true })}, ${formatTimeOfDay(time, zone, clock, { seconds: true })} ${formatZoneName(zone, time)}`

/** One line each for the person's zone ("mine"), UTC and New York. Equal times share a line. */
export function formatMomentTooltip(iso: string, personZone: string, style: DateStyle): string {
  const time = parseTime(iso)
  if (time === null) return iso
  const formatInZone = (zone: string) => formatFullTime(time, zone, style)
  const tooltipZones: [string, string][] = [
    ['mine', personZone],
    ['', 'UTC'],
    ['New York', bankZone],
  ]
  const zoneNamesByMoment = new Map<string, string[]>()
  for (const [name, zone] of tooltipZones) {
    const momentText = formatInZone(zone)
    zoneNamesByMoment.set(momentText, [...(zoneNamesByMoment.get(momentText) ?? []), name])
  }
  const formatZoneNames = (names: string[]) => names.filter((name) => name !== '').join(', ')
  return [...zoneNamesByMoment]
    .map(([moment, names]) =>
      formatZoneNames(names) === '' ? moment : `${moment} (${formatZoneNames(names)})`,
    )
    .join('\n')
}

type RelativeTimeProps = {
  at: string | null | undefined
  /**
   * `both`: `2:05 PM ET · 3 h ago`. `ago`: `3 h ago`. `length`: `3 h` or `less than a minute`.
   * `moment`: only the time. `whole`: full date, time and zone.
   */
  show?: 'both' | 'ago' | 'length' | 'moment' | 'whole'
  /** If false, the zone is omitted. Tables show it once in the column header. */
  zone?: boolean
  className?: string
}

const minuteMs = 60_000

const lengthText = (milliseconds: number): string =>
  Math.abs(milliseconds) < minuteMs ? 'less than a minute' : formatDuration(milliseconds)

/** Text that is not a time is shown as received; a missing time is "unknown". */
export function RelativeTime({ at, show = 'both', zone = true, className }: RelativeTimeProps) {
  const { preferences } = usePreferences()
  const displayZone = useZone()
  const now = useNow()
  const moment = formatMoment(at, displayZone, now, preferences)
  if (!at || moment === null) return <span className={className}>{at || 'unknown'}</span>
  const time = parseTime(at) ?? now
  const absoluteText = zone ? `${moment} ${formatGenericZoneName(displayZone, time)}` : moment
  const relativeText = formatRelativeTime(at, now)
  const fullText = formatFullTime(time, displayZone, preferences)
  const shownText = {
    both: `${absoluteText} · ${relativeText}`,
    ago: relativeText,
    length: lengthText(now - time),
    moment: absoluteText,
    whole: fullText,
  }[show]
  return (
    <time
      dateTime={at}
      title={formatMomentTooltip(at, preferences.zone, preferences)}
      data-whole={fullText}
      className={className}
    >
      {shownText}
    </time>
  )
}

export const CalendarDate = ({ date }: { date: string }) =>
  formatDay(date, usePreferences().preferences.dateOrder)

export function ZoneName() {
  const zone = useZone()
  return (
    <abbr title={zone} className="no-underline">
      {formatGenericZoneName(zone, useNow())}
    </abbr>
  )
}

/** Beyond `limit` (milliseconds), the color tells the person to refresh before a decision. */
export function AgeChip({
  at,
  limit,
  what = 'Updated',
}: {
  at: string | null | undefined
  limit: number
  what?: string
}) {
  const now = useNow()
  const time = parseTime(at)
  if (time === null) return <Badge tone="held">{what}: age unknown</Badge>
  const ageMs = Math.max(0, now - time)
  const nowText = what.endsWith('of') ? 'now' : 'just now'
  const ageText = `${what} ${ageMs < 5000 ? nowText : `${formatDuration(ageMs)} ago`}`
  return ageMs > limit ? (
    <Badge tone="held">{ageText}</Badge>
  ) : (
    <span className="text-ink-3 text-xs">{ageText}</span>
  )
}
