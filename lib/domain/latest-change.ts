import { parseTime } from '@/lib/dates'
import type { ActionView } from '@/lib/operations/answer'
import type { Payment } from './payment-kind'
import { sourceText } from './source-text'

/**
 * A change of a record while its page was open: author, time (ISO) and reason. `outside`: it was
 * not made in Paydesk.
 */
export type RecordChange = { outside: boolean; by: string; at: string; reason: string | null }

type HistoryEntry = Pick<
  Payment['status_history'][number],
  'changed_at' | 'source' | 'message' | 'reason'
>

/**
 * Input of `findLatestChange`: the service's history and Paydesk's actions. `since` is the time of
 * the first read (milliseconds).
 */
export type ChangeSources = {
  history: readonly HistoryEntry[]
  actions: readonly ActionView[]
  since: number
}

/**
 * An entry in the history that is at most this many milliseconds newer than an action counts as the
 * same change.
 */
const sameChangeWindowMs = 60_000

const toActionChange = ({
  own,
  actor,
  settled_at,
  created_at,
  reason,
}: ActionView): RecordChange => ({
  outside: false,
  by: own ? 'you' : actor,
  at: settled_at ?? created_at,
  reason,
})

/**
 * Returns the newest change of a record since it was first read, or null. For an action in Paydesk,
 * `by` is the person. For a change that only the service's history contains, `by` is the source
 * that the history names.
 */
export function findLatestChange({ history, actions, since }: ChangeSources): RecordChange | null {
  const [action] = actions
    .filter(({ state, settled_at }) => state === 'applied' && (parseTime(settled_at) ?? 0) >= since)
    .sort((one, other) => (parseTime(other.settled_at) ?? 0) - (parseTime(one.settled_at) ?? 0))
  const entry = history.at(-1)
  const entryTime = parseTime(entry?.changed_at)
  const actionTime = parseTime(action?.settled_at)
  if (
    !entry?.changed_at ||
    entryTime === null ||
    entryTime < since ||
    (actionTime !== null && entryTime <= actionTime + sameChangeWindowMs)
  )
    return action ? toActionChange(action) : null
  return {
    outside: true,
    by: sourceText(entry.source, entry.reason),
    at: entry.changed_at,
    reason: entry.message ?? null,
  }
}
