import type { ReactNode } from 'react'
import { forecastText, limitForecast } from '@/lib/domain/limit-forecast'
import { type Headroom, headroomOf } from '@/lib/domain/limit-headroom'
import type { LimitUsage } from '@/lib/domain/limit-usage'
import { type LimitName, type LimitSet, limitText, limitWords } from '@/lib/domain/limit-words'
import { HeadroomBar } from './headroom-bar'

type LimitLinesProps = { limits: LimitSet; usage: LimitUsage | null }

/** The limits of one payment type, a line each: what may be moved, what is used, when it will be used up. Without use only the limits stand. */
export function LimitLines({ limits, usage }: LimitLinesProps) {
  const rooms = usage ? headroomOf(usage, limits) : []
  const roomOf = (name: LimitName) => rooms.find((room) => room.name === name)
  return (
    <ul className="grid">
      <Line name="max_amount" limits={limits} />
      <Line name="daily_amount" limits={limits}>
        <Room room={roomOf('daily_amount')} usage={usage} />
      </Line>
      <Line name="monthly_amount" limits={limits}>
        <Room room={roomOf('monthly_amount')} usage={usage} forecast="amount" />
      </Line>
      <Line name="monthly_count" limits={limits}>
        <Room room={roomOf('monthly_count')} usage={usage} forecast="count" />
      </Line>
    </ul>
  )
}

const Line = ({ name, limits, children }: { name: LimitName; limits: LimitSet; children?: ReactNode }) => (
  <li className="grid gap-1 border-line border-b py-2 first:pt-0 last:border-b-0 last:pb-0">
    <p className="flex items-baseline justify-between gap-3">
      <span className="text-ink-2">{limitWords[name].label}</span>
      <span className="font-medium tabular-nums">{limitText(name, limits[name])}</span>
    </p>
    {children}
  </li>
)

type RoomProps = { room: Headroom | undefined; usage: LimitUsage | null; forecast?: 'amount' | 'count' }

function Room({ room, usage, forecast }: RoomProps) {
  if (!room || !usage) return null
  return (
    <>
      <HeadroomBar room={room} atLeast={usage.atLeast} />
      {forecast && <p className="text-ink-3 text-xs">{forecastText(limitForecast(usage, room.limit, forecast))}</p>}
    </>
  )
}
