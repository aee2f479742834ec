import { timeOf } from '@/lib/dates'
import type { ActionView } from '@/lib/operations/answer'
import type { Payment } from './payment-kind'
import { sourceText } from './source-text'

/** What changed a record while somebody looked at it: who, when (ISO), and why where that is known. `outside`: not by way of Paydesk. */
export type ChangedBy = { outside: boolean; by: string; at: string; reason: string | null }

type Entry = Pick<Payment['status_history'][number], 'changed_at' | 'source' | 'message' | 'reason'>

/** Where it is looked for who changed a record: the service's history and our actions, since the record was first read (milliseconds). */
export type Happened = { history: readonly Entry[]; actions: readonly ActionView[]; since: number }

/** A change of a status is written to the history within moments of the action that made it. */
const together = 60_000

const byAction = ({ own, actor, settled_at, created_at, reason }: ActionView): ChangedBy => ({
  outside: false,
  by: own ? 'you' : actor,
  at: settled_at ?? created_at,
  reason,
})

/**
 * The newest thing that happened to a record since it was first read: what was done in Paydesk is known by name, what is only in the
 * service's history by its source. Null where neither says: then nobody is named.
 */
export function changedBy({ history, actions, since }: Happened): ChangedBy | null {
  const [action] = actions
    .filter(({ state, settled_at }) => state === 'applied' && (timeOf(settled_at) ?? 0) >= since)
    .sort((one, other) => (timeOf(other.settled_at) ?? 0) - (timeOf(one.settled_at) ?? 0))
  const entry = history.at(-1)
  const at = timeOf(entry?.changed_at)
  const done = timeOf(action?.settled_at)
  if (!entry?.changed_at || at === null || at < since || (done !== null && at <= done + together)) return action ? byAction(action) : null
  return { outside: true, by: sourceText(entry.source, entry.reason), at: entry.changed_at, reason: entry.message ?? null }
}
