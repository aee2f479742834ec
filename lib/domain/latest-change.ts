import { parseTime } from '@/lib/dates'
import type { ActionView } from '@/lib/operations/answer'
import type { Payment } from './payment-kind'
import { describeStatusSource } from './source-text'

/** `outside`: the change was not made in Paydesk. `at` is an ISO timestamp. */
export type LatestChange = { outside: boolean; by: string; at: string; reason: string | null }

type HistoryEntry = Pick<
  Payment['status_history'][number],
  'changed_at' | 'source' | 'message' | 'reason'
>

/** `since` is when the person opened the record (milliseconds): earlier changes do not count. */
export type ChangeSources = {
  history: readonly HistoryEntry[]
  actions: readonly ActionView[]
  since: number
}

/** A history entry at most this much newer than an action counts as the same change. */
const sameChangeWindowMs = 60_000

const toActionChange = ({
  own,
  actor,
  settled_at,
  created_at,
  reason,
}: ActionView): LatestChange => ({
  outside: false,
  by: own ? 'you' : actor,
  at: settled_at ?? created_at,
  reason,
})

/** For a Paydesk action, `by` is the person, otherwise the source that the history names. */
export function findLatestChange({ history, actions, since }: ChangeSources): LatestChange | null {
  const [action] = actions
    .filter(({ state, settled_at }) => state === 'applied' && (parseTime(settled_at) ?? 0) >= since)
    .sort((one, other) => (parseTime(other.settled_at) ?? 0) - (parseTime(one.settled_at) ?? 0))
  const latestEntry = history.at(-1)
  const entryTime = parseTime(latestEntry?.changed_at)
  const actionTime = parseTime(action?.settled_at)
  if (
    !latestEntry?.changed_at ||
    entryTime === null ||
    entryTime < since ||
    (actionTime !== null && entryTime <= actionTime + sameChangeWindowMs)
  )
    return action ? toActionChange(action) : null
  return {
    outside: true,
    by: describeStatusSource(latestEntry.source, latestEntry.reason),
    at: latestEntry.changed_at,
    reason: latestEntry.message ?? null,
  }
}
