'use client'

import { StatusBadge } from '@/components/ui/status-badge'
import type { Tone } from '@/components/ui/tone'
import { percent } from './scale'

/** One rate against its limit. `share` is the rate divided by the limit, null where there is no rate; `warn` the share from which it warns. */
export type RateBar = {
  id: string
  name: string
  /** Which codes count, in small print. */
  detail: string
  value: string
  /** The counts behind it. */
  counts: string
  limit: string
  share: number | null
  warn: number
  tone: Tone
  state: string
}

/** The track shows a little more than the limit, so that the limit is a mark on it and not its end. */
const most = 1.25

const fills: Partial<Record<Tone, string>> = { good: 'fill-accent', held: 'fill-held', bad: 'fill-bad' }

/** Rates, each on a track of its own with marks at half of its limit and at the limit. */
export const RateBars = ({ rates, summary }: { rates: readonly RateBar[]; summary: string }) => (
  <div role="img" aria-label={summary} className="grid h-full grid-cols-1 content-around gap-y-2">
    {rates.map((rate) => (
      <div key={rate.id} className="grid min-w-0 gap-1">
        <p className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 font-medium">{rate.name}</span>
          <span className="min-w-0 truncate text-ink-3 text-xs">{rate.detail}</span>
          <span className="ml-auto shrink-0 font-semibold text-base tabular-nums">{rate.value}</span>
          <StatusBadge tone={rate.tone} className="shrink-0 self-center">
            {rate.state}
          </StatusBadge>
        </p>
        <Track {...rate} />
        <p className="flex flex-wrap justify-between gap-x-2 text-2xs text-ink-3 tabular-nums">
          <span>{rate.counts}</span>
          <span>{rate.limit}</span>
        </p>
      </div>
    ))}
  </div>
)

const Track = ({ share, warn, tone }: Pick<RateBar, 'share' | 'warn' | 'tone'>) => (
  <svg aria-hidden="true" className="h-3.5 w-full overflow-visible">
    <rect width="100%" y="2" height="10" rx="2" className="fill-sunken stroke-line" />
    {share !== null && (
      <rect width={percent(Math.min(share / most, 1) * 100)} y="2" height="10" rx="2" className={fills[tone] ?? 'fill-control'} />
    )}
    <Mark at={percent((warn / most) * 100)} className="stroke-ink-3" />
    <Mark at={percent(100 / most)} className="stroke-ink stroke-2" />
  </svg>
)

const Mark = ({ at, className }: { at: string; className: string }) => <line {...{ x1: at, x2: at, y1: 0, y2: 14 }} className={className} />
