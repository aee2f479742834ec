import type { LimitUsage } from './limit-usage'
import type { LimitName, LimitSet } from './limit-words'
import type { Tone } from './status'

/** How much of a limit is used: minor units, or a count. `share` is used over limit, 1 being all of it; null where no limit is stated. */
export type Headroom = {
  name: Exclude<LimitName, 'max_amount'>
  used: number
  limit: number | undefined
  left: number | null
  share: number | null
}

/** The spans that are used up over time; the limit of one payment is not. */
const spans = ['daily_amount', 'monthly_amount', 'monthly_count'] as const

const usedOf: Record<(typeof spans)[number], (usage: LimitUsage) => number> = {
  daily_amount: (usage) => usage.day.amount,
  monthly_amount: (usage) => usage.month.amount,
  monthly_count: (usage) => usage.month.count,
}

/** What is used and left of each limit of a payment type, by our own adding. A limit of zero is used up by the first payment. */
export function headroomOf(usage: LimitUsage, limits: LimitSet): Headroom[] {
  return spans.map((name) => {
    const [used, limit] = [usedOf[name](usage), limits[name]]
    if (limit === undefined) return { name, used, limit, left: null, share: null }
    return { name, used, limit, left: limit - used, share: limit > 0 ? used / limit : 1 }
  })
}

/** The limit of which the largest share is used; null where none is stated. */
export function tightestOf(rooms: readonly Headroom[]): Headroom | null {
  return rooms.reduce<Headroom | null>((found, room) => ((room.share ?? -1) > (found?.share ?? -1) ? room : found), null)
}

/** From which share on a limit deserves a look. */
const near = 0.8

/** The tone of a share: used up, near, or with room. */
export const shareTone = (share: number | null): Tone => {
  if (share === null) return 'neutral'
  return share >= 1 ? 'bad' : share >= near ? 'held' : 'good'
}

/** A share as people read it: `82 %`, `0.4 %` for what would round to nothing, never 100 % for less. */
export function shareText(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return `${percent.toLocaleString('en-US', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} %`
  return `${(percent < 100 ? Math.min(99, Math.round(percent)) : Math.round(percent)).toLocaleString('en-US')} %`
}
