'use client'

import { agoText, timeOf } from '@/lib/dates'
import { useNow } from './clock'
import { usePreferences, useZone } from './preferences-context'
import { fullMomentText, momentText, wholeMomentText, zoneHeadText, zoneText } from './time-text'

type RelativeTimeProps = {
  at: string | null | undefined
  /** `both`: `14:05 EDT · 3 h ago`; `ago`: the second part alone, the rest on hover; `moment`: the first alone; `whole`: date, time and zone, for what has to stand by itself. */
  show?: 'both' | 'ago' | 'moment' | 'whole'
  /** A table writes the zone once, in its head. */
  zone?: boolean
  className?: string
}

/** An instant in the zone the reader chose, absolute and relative; a text that is no time is shown as it came, a missing one as unknown. */
export function RelativeTime({ at, show = 'both', zone = true, className }: RelativeTimeProps) {
  const { preferences } = usePreferences()
  const shown = useZone()
  const now = useNow()
  const moment = momentText(at, shown, now)
  if (!at || moment === null) return <span className={className}>{at || 'unknown'}</span>
  const time = timeOf(at) ?? now
  const absolute = zone ? `${moment} ${zoneText(shown, time)}` : moment
  const ago = agoText(at, now)
  const whole = wholeMomentText(time, shown)
  const words = { both: `${absolute} · ${ago}`, ago, moment: absolute, whole }[show]
  return (
    <time dateTime={at} title={fullMomentText(at, preferences.zone)} data-whole={whole} className={className}>
      {words}
    </time>
  )
}

/** The zone times are written in, for a column's head. */
export function ZoneName() {
  const zone = useZone()
  return (
    <abbr title={zone} className="no-underline">
      {zoneHeadText(zone, useNow())}
    </abbr>
  )
}
