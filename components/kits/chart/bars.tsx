'use client'

import { useState } from 'react'
import { cn } from '@/components/ui/cn'
import { StatusBadge, type Tone } from '@/components/ui/tone'
import { formatPercent } from './scale'

/**
 * `up` and `down` are bars from the zero line, `net` a line across both; all are null if the day
 * could not be read. `quiet` marks a day without expected movement.
 */
type DayBar = {
  date: string
  up: number | null
  down: number | null
  net: number | null
  title: string
  quiet: boolean
  label?: string
}

/** The first mark is the top of the chart, the last one the bottom. */
type ScaleMark = { value: number; text: string }

type DayBarsProps = {
  days: readonly DayBar[]
  marks: readonly ScaleMark[]
  /** One or two sentences that a screen reader reads in place of the chart. */
  summary: string
}

/** Returns the vertical position of a value, in percent of the chart's height from the top. */
type PositionScale = (value: number) => number

function createPositionScale(marks: readonly ScaleMark[]): PositionScale {
  const topValue = marks[0]?.value ?? 0
  const valueSpan = topValue - (marks.at(-1)?.value ?? 0) || 1
  return (value) => ((topValue - value) / valueSpan) * 100
}

/**
 * All sizes are percentages in SVG attributes, so the chart scales without script or inline styles.
 * It is a client component: the data is not sent a second time as markup, and SVG that the server
 * streams would need inline styles, which the CSP blocks.
 */
export function DayBars({ days, marks, summary }: DayBarsProps) {
  const toVerticalPosition = createPositionScale(marks)
  const [shownIndex, setShownIndex] = useState<number | null>(null)
  return (
    <div
      role="img"
      aria-label={summary}
      // A touch ends outside the chart at once. Its value stays until another day is touched.
      onPointerLeave={(event) => event.pointerType === 'mouse' && setShownIndex(null)}
      className="relative grid h-full grid-cols-[3rem_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_1.25rem] gap-x-2 pt-2"
    >
      <svg aria-hidden="true" className="size-full overflow-visible">
        {marks.map(({ value, text }) => (
          <text
            key={value}
            x="100%"
            y={formatPercent(toVerticalPosition(value))}
            textAnchor="end"
            dominantBaseline="middle"
            className="fill-ink-3 text-2xs tabular-nums"
          >
            {text}
          </text>
        ))}
      </svg>
      <svg aria-hidden="true" className="size-full overflow-visible">
        {days.map((day, at) => (
          <QuietDayShade key={day.date} day={day} at={at} of={days.length} />
        ))}
        {marks.map(({ value }) => (
          <line
            key={value}
            {...{
              x1: 0,
              x2: '100%',
              y1: formatPercent(toVerticalPosition(value)),
              y2: formatPercent(toVerticalPosition(value)),
            }}
            className={value === 0 ? 'stroke-control' : 'stroke-line'}
          />
        ))}
        {days.map((day, at) => (
          <DayBarShapes
            key={day.date}
            day={day}
            at={at}
            of={days.length}
            place={toVerticalPosition}
            onShow={() => setShownIndex(at)}
          />
        ))}
      </svg>
      <svg aria-hidden="true" className="col-start-2 size-full overflow-visible">
        {days.map((day, at) => (
          <DayLabel key={day.date} day={day} at={at} of={days.length} />
        ))}
      </svg>
      {shownIndex !== null && (
        <DayFigures text={days[shownIndex]?.title} isLeft={shownIndex >= days.length / 2} />
      )}
    </div>
  )
}

/** The figures of the day under the pointer, on the other side of the chart. */
const DayFigures = ({ text, isLeft }: { text: string | undefined; isLeft: boolean }) => (
  <p
    data-day-figures
    className={cn(
      'pointer-events-none absolute top-0 max-w-[60%] rounded-sm border border-line bg-raised px-2 py-1 text-2xs tabular-nums shadow-float',
      isLeft ? 'left-14' : 'right-0',
    )}
  >
    {text}
  </p>
)

type DayPositionProps = { day: DayBar; at: number; of: number }

/** The last label is right-aligned: half of it would otherwise be outside the chart. */
const DayLabel = ({ day, at, of }: DayPositionProps) =>
  day.label !== undefined && (
    <text
      x={at === of - 1 ? '100%' : formatPercent(((at + 0.5) / of) * 100)}
      y="75%"
      textAnchor={at === of - 1 ? 'end' : 'middle'}
      className="fill-ink-3 text-2xs tabular-nums"
    >
      {day.label}
    </text>
  )

const QuietDayShade = ({ day, at, of }: DayPositionProps) =>
  day.quiet && (
    <rect
      {...{
        x: formatPercent((at / of) * 100),
        width: formatPercent(100 / of),
        y: 0,
        height: '100%',
      }}
      className="fill-sunken"
    />
  )

type DayBarShapesProps = DayPositionProps & { place: PositionScale; onShow: () => void }

function DayBarShapes({ day, at, of, place, onShow }: DayBarShapesProps) {
  const dayWidth = 100 / of
  const barPosition = {
    x: formatPercent((at + 0.18) * dayWidth),
    width: formatPercent(0.64 * dayWidth),
  }
  const netLineEnds = {
    x1: formatPercent((at + 0.06) * dayWidth),
    x2: formatPercent((at + 0.94) * dayWidth),
  }
  const zeroPosition = place(0)
  return (
    <g className="group" onPointerEnter={onShow}>
      {/* The whole column reacts to the pointer, so that days with small amounts show their figures. */}
      <rect
        {...{
          x: formatPercent(at * dayWidth),
          width: formatPercent(dayWidth),
          y: 0,
          height: '100%',
        }}
        className="fill-transparent group-hover:fill-ink/8"
      />
      {day.up !== null && (
        <rect
          {...barPosition}
          y={formatPercent(place(day.up))}
          height={formatPercent(zeroPosition - place(day.up))}
          className="fill-accent"
        />
      )}
      {day.down !== null && (
        <rect
          {...barPosition}
          y={formatPercent(zeroPosition)}
          height={formatPercent(place(-day.down) - zeroPosition)}
          className="fill-control"
        />
      )}
      <line
        {...netLineEnds}
        {...{
          y1: formatPercent(place(day.net ?? 0)),
          y2: formatPercent(place(day.net ?? 0)),
          strokeWidth: 2,
        }}
        strokeDasharray={day.net === null ? '2 2' : undefined}
        className={cn(day.net === null ? 'stroke-held-mark' : 'stroke-ink')}
      />
    </g>
  )
}

/**
 * `share`: the rate divided by its limit; null if there is no rate. `warn`: the share from which on
 * the rate counts as near the limit.
 */
type RateBar = {
  id: string
  name: string
  detail: string
  value: string
  counts: string
  limit: string
  share: number | null
  warn: number
  tone: Tone
  state: string
}

/** Above 1, so that the bar of a rate over the limit ends beyond the mark of the limit. */
const maxShownShare = 1.25

const barFillClasses: Partial<Record<Tone, string>> = {
  good: 'fill-accent',
  held: 'fill-held-mark',
  bad: 'fill-bad-mark',
}

export const RateBars = ({ rates, summary }: { rates: readonly RateBar[]; summary: string }) => (
  <div role="img" aria-label={summary} className="grid h-full grid-cols-1 content-around gap-y-2">
    {rates.map((rate) => (
      <div key={rate.id} className="grid min-w-0 gap-1">
        <p className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 font-medium">{rate.name}</span>
          <span className="min-w-0 truncate text-ink-3 text-xs">{rate.detail}</span>
          <span className="ml-auto shrink-0 font-semibold text-base tabular-nums">
            {rate.value}
          </span>
          <StatusBadge tone={rate.tone} className="shrink-0 self-center">
            {rate.state}
          </StatusBadge>
        </p>
        <RateTrack {...rate} />
        <p className="flex flex-wrap justify-between gap-x-2 text-2xs text-ink-3 tabular-nums">
          <span>{rate.counts}</span>
          <span>{rate.limit}</span>
        </p>
      </div>
    ))}
  </div>
)

const RateTrack = ({ share, warn, tone }: Pick<RateBar, 'share' | 'warn' | 'tone'>) => (
  <svg aria-hidden="true" className="h-3.5 w-full overflow-visible">
    <rect width="100%" y="2" height="10" rx="2" className="fill-sunken stroke-line" />
    {share !== null && (
      <rect
        width={formatPercent(Math.min(share / maxShownShare, 1) * 100)}
        y="2"
        height="10"
        rx="2"
        className={barFillClasses[tone] ?? 'fill-control'}
      />
    )}
    <TrackMark at={formatPercent((warn / maxShownShare) * 100)} className="stroke-ink-3" />
    <TrackMark at={formatPercent(100 / maxShownShare)} className="stroke-ink stroke-2" />
  </svg>
)

const TrackMark = ({ at, className }: { at: string; className: string }) => (
  <line {...{ x1: at, x2: at, y1: 0, y2: 14 }} className={className} />
)
