'use client'

import { Badge } from '@/components/ui/tone'
import { bankZone } from '@/lib/client/preferences'
import { type DateStyle, dateText, dayText, durationText, parseTime, relativeTimeText, timeOfDayText } from '@/lib/dates'
import { getDateFormat } from '@/lib/formats'
import { useNow } from './browser-state'
import { usePreferences, useZone } from './preferences-context'

/** Returns the time in `zone`: `2:05 PM` today, `Mar 30, 2:05 PM` this year, otherwise with the year. Null if `iso` is not a time. */
export function formatMoment(iso: string | null | undefined, zone: string, now: number, style: DateStyle): string | null {
  const time = parseTime(iso)
  if (time === null) return null
  const clock = timeOfDayText(time, zone, style.clock, { seconds: false })
  const formatDate = (at: number, year: boolean) => dateText(at, zone, style.dateOrder, { year })
  if (formatDate(time, true) === formatDate(now, true)) return clock
  return `${formatDate(time, getYear(time, zone) !== getYear(now, zone))}, ${clock}`
}

const getYear = (time: number, zone: string): string => getDateFormat('en-US', { timeZone: zone, year: 'numeric' }).format(time)

function findZoneName(zone: string, timeZoneName: 'short' | 'shortGeneric', now: number): string | undefined {
  const dateParts = getDateFormat('en-US', { timeZone: zone, timeZoneName }).formatToParts(now)
  return dateParts.find((part) => part.type === 'timeZoneName')?.value
}

/** Returns the short name of a zone at an instant (milliseconds), for example `EDT`; `GMT-4` if the browser has no name for it. */
export function formatZoneName(zone: string, now: number): string {
  return findZoneName(zone, 'short', now) ?? zone
}

/** Returns a zone's short name for both summer and winter: `ET`. If the browser has none, returns the name at `now`. */
export function formatZoneHeader(zone: string, now: number): string {
  if (zone === 'UTC') return 'UTC'
  const genericZoneName = findZoneName(zone, 'shortGeneric', now) ?? ''
  return /^[A-Z]{2,4}$/.test(genericZoneName) ? genericZoneName : formatZoneName(zone, now)
}

/** Returns the full date, time and zone, used if there is no tooltip: `Mar 31, 2026, 1:05:09 PM EDT`. `time` is in milliseconds. */
export const formatFullTime = (time: number, zone: string, { dateOrder, clock }: DateStyle): string =>
  `${dateText(time, zone, dateOrder, { year: true })}, ${timeOfDayText(time, zone, clock, { seconds: true })} ${formatZoneName(zone, time)}`

/** Returns the full time for the tooltip, one line each in the reader's zone (`mine`), UTC and New York. Equal times share a line. */
export function formatMomentTooltip(iso: string, mine: string, style: DateStyle): string {
  const time = parseTime(iso)
  if (time === null) return iso
  const formatInZone = (zone: string) => formatFullTime(time, zone, style)
  const tooltipZones: [string, string][] = [
    ['mine', mine],
    ['', 'UTC'],
    ['New York', bankZone],
  ]
  const lines = new Map<string, string[]>()
  for (const [name, zone] of tooltipZones) {
    const moment = formatInZone(zone)
    lines.set(moment, [...(lines.get(moment) ?? []), name])
  }
  const formatZoneNames = (names: string[]) => names.filter((name) => name !== '').join(', ')
  return [...lines].map(([moment, names]) => (formatZoneNames(names) === '' ? moment : `${moment} (${formatZoneNames(names)})`)).join('\n')
}

type RelativeTimeProps = {
  at: string | null | undefined
  /** `both`: `2:05 PM ET · 3 h ago`. `ago`: `3 h ago`. `length`: `3 h`. `moment`: only the time. `whole`: full date, time and zone. */
  show?: 'both' | 'ago' | 'length' | 'moment' | 'whole'
  /** If false, the zone is omitted. Tables show it once in the column header. */
  zone?: boolean
  className?: string
}

/** A time in the reader's zone, absolute and relative. A text that is not a time is shown as received, a missing one as unknown. */
export function RelativeTime({ at, show = 'both', zone = true, className }: RelativeTimeProps) {
  const { preferences } = usePreferences()
  const displayZone = useZone()
  const now = useNow()
  const moment = formatMoment(at, displayZone, now, preferences)
  if (!at || moment === null) return <span className={className}>{at || 'unknown'}</span>
  const time = parseTime(at) ?? now
  const absoluteText = zone ? `${moment} ${formatZoneHeader(displayZone, time)}` : moment
  const relativeText = relativeTimeText(at, now)
  const fullText = formatFullTime(time, displayZone, preferences)
  const textByMode = {
    both: `${absoluteText} · ${relativeText}`,
    ago: relativeText,
    length: durationText(now - time),
    moment: absoluteText,
    whole: fullText,
  }[show]
  return (
    <time dateTime={at} title={formatMomentTooltip(at, preferences.zone, preferences)} data-whole={fullText} className={className}>
      {textByMode}
    </time>
  )
}

/** A calendar date such as `2026-03-31`, in the reader's order of month and day. */
export const CalendarDate = ({ date }: { date: string }) => dayText(date, usePreferences().preferences.dateOrder)

export function ZoneName() {
  const zone = useZone()
  return (
    <abbr title={zone} className="no-underline">
      {formatZoneHeader(zone, useNow())}
    </abbr>
  )
}

/** The age of the data. After `limit` milliseconds the chip has the `held` color: refresh the data before acting on it. */
export function AgeChip({ at, limit, what = 'Updated' }: { at: string | null | undefined; limit: number; what?: string }) {
  const now = useNow()
  const time = parseTime(at)
  if (time === null) return <Badge tone="held">{what}: age unknown</Badge>
  const age = Math.max(0, now - time)
  const nowText = what.endsWith('of') ? 'now' : 'just now'
  const words = `${what} ${age < 5000 ? nowText : `${durationText(age)} ago`}`
  return age > limit ? <Badge tone="held">{words}</Badge> : <span className="text-ink-3 text-xs">{words}</span>
}
