import { parseTime } from '@/lib/dates'
import type { ActionView } from '@/lib/operations/answer'
import type { Payment } from './payment-kind'
import { sourceText } from './source-text'

/** A change of the record while it was open: author, time (ISO) and reason. `outside`: it was not made in Paydesk. */
export type RecordChange = { outside: boolean; by: string; at: string; reason: string | null }

type HistoryEntry = Pick<Payment['status_history'][number], 'changed_at' | 'source' | 'message' | 'reason'>

/** The sources of a change: the service's history, and our actions. `since` is when the record was first read (milliseconds). */
export type ChangeSources = { history: readonly HistoryEntry[]; actions: readonly ActionView[]; since: number }

/** Milliseconds within which an action and an entry of the history are the same change. */
const sameChangeWindow = 60_000

const toActionChange = ({ own, actor, settled_at, created_at, reason }: ActionView): RecordChange => ({
  outside: false,
  by: own ? 'you' : actor,
  at: settled_at ?? created_at,
  reason,
})

/**
 * Returns the newest change of a record since it was first read, or null. For a Paydesk action, `by` is the person. For an entry that is
 * only in the service's history, `by` is the source.
 */
export function findLatestChange({ history, actions, since }: ChangeSources): RecordChange | null {
  const [action] = actions
    .filter(({ state, settled_at }) => state === 'applied' && (parseTime(settled_at) ?? 0) >= since)
    .sort((one, other) => (parseTime(other.settled_at) ?? 0) - (parseTime(one.settled_at) ?? 0))
  const entry = history.at(-1)
  const entryTime = parseTime(entry?.changed_at)
  const actionTime = parseTime(action?.settled_at)
  if (!entry?.changed_at || entryTime === null || entryTime < since || (actionTime !== null && entryTime <= actionTime + sameChangeWindow))
    return action ? toActionChange(action) : null
  return { outside: true, by: sourceText(entry.source, entry.reason), at: entry.changed_at, reason: entry.message ?? null }
}
