'use client'

import { Badge } from '@/components/ui/tone'
import { bankZone } from '@/lib/client/preferences'
import { agoText, lengthText, timeOf } from '@/lib/dates'
import { dateFormat } from '@/lib/formats'
import { useNow } from './browser-state'
import { usePreferences, useZone } from './preferences-context'

const formatOf = (zone: string, options: Parameters<typeof dateFormat>[1]) => dateFormat('en-GB', { ...options, timeZone: zone })

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const day = { day: 'numeric', month: 'short' } as const

/** Returns the time in `zone`: `14:05` today, `30 Mar, 14:05` this year, otherwise `30 Mar 2025, 14:05`. Null if `iso` is not a time. */
export function momentText(iso: string | null | undefined, zone: string, now: number): string | null {
  const time = timeOf(iso)
  if (time === null) return null
  const dayOf = (at: number) => formatOf(zone, { ...day, year: 'numeric' }).format(at)
  if (dayOf(time) === dayOf(now)) return formatOf(zone, clock).format(time)
  const sameYear = formatOf(zone, { year: 'numeric' }).format(time) === formatOf(zone, { year: 'numeric' }).format(now)
  const date = formatOf(zone, sameYear ? day : { ...day, year: 'numeric' }).format(time)
  return `${date}, ${formatOf(zone, clock).format(time)}`
}

function zoneNameOf(zone: string, timeZoneName: 'short' | 'shortGeneric', now: number): string | undefined {
  const dateParts = dateFormat('en-US', { timeZone: zone, timeZoneName }).formatToParts(now)
  return dateParts.find((part) => part.type === 'timeZoneName')?.value
}

/** Returns the short name of a zone at an instant (milliseconds), for example `EDT`; `GMT-4` if the browser has no name for it. */
export function zoneText(zone: string, now: number): string {
  return zoneNameOf(zone, 'short', now) ?? zone
}

/** Returns a zone's short name for both summer and winter: `ET`. If the browser has none, returns the name at `now`. */
export function zoneHeadText(zone: string, now: number): string {
  if (zone === 'UTC') return 'UTC'
  const generic = zoneNameOf(zone, 'shortGeneric', now) ?? ''
  return /^[A-Z]{2,4}$/.test(generic) ? generic : zoneText(zone, now)
}

/** Returns the full date, time and zone, used if there is no tooltip: `31 Mar 2026, 13:05:09 EDT`. `time` is in milliseconds. */
export const wholeMomentText = (time: number, zone: string): string =>
  `${formatOf(zone, { dateStyle: 'medium', timeStyle: 'medium' }).format(time)} ${zoneText(zone, time)}`

/** Returns the full time for the tooltip, one line each in the reader's zone (`mine`), UTC and New York. Equal times share a line. */
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
  for (const [name, zone] of clocks) {
    const moment = write(zone)
    lines.set(moment, [...(lines.get(moment) ?? []), name])
  }
  const named = (names: string[]) => names.filter((name) => name !== '').join(', ')
  return [...lines].map(([moment, names]) => (named(names) === '' ? moment : `${moment} (${named(names)})`)).join('\n')
}

type RelativeTimeProps = {
  at: string | null | undefined
  /** `both`: `14:05 EDT · 3 h ago`. `ago`: only the age. `moment`: only the time. `whole`: full date, time and zone. */
  show?: 'both' | 'ago' | 'moment' | 'whole'
  /** If false, the zone is omitted. Tables show it once in the column header. */
  zone?: boolean
  className?: string
}

/** A time in the reader's zone, absolute and relative. A text that is not a time is shown as received, a missing one as unknown. */
export function RelativeTime({ at, show = 'both', zone = true, className }: RelativeTimeProps) {
  const { preferences } = usePreferences()
  const displayZone = useZone()
  const now = useNow()
  const moment = momentText(at, displayZone, now)
  if (!at || moment === null) return <span className={className}>{at || 'unknown'}</span>
  const time = timeOf(at) ?? now
  const absolute = zone ? `${moment} ${zoneText(displayZone, time)}` : moment
  const ago = agoText(at, now)
  const fullText = wholeMomentText(time, displayZone)
  const words = { both: `${absolute} · ${ago}`, ago, moment: absolute, whole: fullText }[show]
  return (
    <time dateTime={at} title={fullMomentText(at, preferences.zone)} data-whole={fullText} className={className}>
      {words}
    </time>
  )
}

export function ZoneName() {
  const zone = useZone()
  return (
    <abbr title={zone} className="no-underline">
      {zoneHeadText(zone, useNow())}
    </abbr>
  )
}

/** The age of the data. After `limit` milliseconds the chip has the `held` color: refresh the data before acting on it. */
export function AgeChip({ at, limit, what = 'Updated' }: { at: string | null | undefined; limit: number; what?: string }) {
  const now = useNow()
  const time = timeOf(at)
  if (time === null) return <Badge tone="held">{what}: age unknown</Badge>
  const age = Math.max(0, now - time)
  const nowText = what.endsWith('of') ? 'now' : 'just now'
  const words = `${what} ${age < 5000 ? nowText : `${lengthText(age)} ago`}`
  return age > limit ? <Badge tone="held">{words}</Badge> : <span className="text-ink-3 text-xs">{words}</span>
}
