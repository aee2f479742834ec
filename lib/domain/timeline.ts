import { timeOf } from '@/lib/dates'
import type { ActionView } from '@/lib/operations/answer'
import { rowOf } from '@/lib/operations/rows'
import type { Payment } from './payment-kind'
import { returnCode } from './return-codes'
import { sourceText } from './source-text'
import { statusWords, type Tone } from './status'

/** One line of a record's story. `source` says whose record it is: the provider's history or our action book. */
export type TimelineEntry = {
  id: string
  source: 'provider' | 'paydesk'
  at: string | null
  title: string
  detail: string | null
  by: string
  tone: Tone
  raw: Record<string, string>
  action: ActionView | null
}

const stateTone: Record<ActionView['state'], Tone> = {
  sending: 'moving',
  applied: 'good',
  refused: 'bad',
  unknown: 'held',
  needs_human: 'held',
}

const stateWords: Record<ActionView['state'], string> = {
  sending: 'being sent',
  applied: 'done',
  refused: 'refused',
  unknown: 'outcome unknown',
  needs_human: 'needs a person',
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function fromHistory(entry: Payment['status_history'][number], at: number): TimelineEntry {
  const words = statusWords('payment', entry.status)
  const code = returnCode(entry.code)
  const raw = { status: entry.status, reason: entry.reason, source: entry.source, code: entry.code, message: entry.message }
  return {
    id: `provider-${at}`,
    source: 'provider',
    at: entry.changed_at ?? null,
    title: code ? `${words.label} — ${entry.code}: ${code.meaning}` : words.label,
    detail: entry.message ?? entry.reason ?? null,
    by: sourceText(entry.source),
    tone: words.tone,
    raw: Object.fromEntries(Object.entries(raw).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    action: null,
  }
}

const detailOf = ({ decided, file, reason, error }: ActionView): string | null =>
  decided ? `${decided.by}: ${decided.evidence}` : (file?.name ?? reason ?? error?.detail ?? null)

function fromAction(action: ActionView): TimelineEntry {
  const decided = action.decided ? ', as a person decided' : ''
  const tries = action.attempts.length > 1 ? `, ${action.attempts.length} attempts` : ''
  return {
    id: `paydesk-${action.id}`,
    source: 'paydesk',
    at: action.created_at,
    title: `${sentence(rowOf(action.operation).does)}: ${stateWords[action.state]}${decided}${action.replayed ? ', replayed' : ''}${tries}`,
    detail: detailOf(action),
    by: action.own ? 'you' : action.actor,
    tone: action.decided ? 'held' : stateTone[action.state],
    raw: { key: action.idempotency_key, correlation_id: action.correlation_id },
    action,
  }
}

/**
 * The provider's history and our own actions on one line of time, newest first. History is event-level and oldest first on the wire, and the
 * same state may come several times (provider facts 2.6); an entry without a time stays beside its neighbour.
 */
export function timelineOf(history: Payment['status_history'], actions: readonly ActionView[]): TimelineEntry[] {
  let last = Number.NEGATIVE_INFINITY
  const provider = history.map((entry, at) => {
    last = timeOf(entry.changed_at) ?? last
    return { entry: fromHistory(entry, at), time: last, order: at }
  })
  const ours = actions.map((action, at) => ({ entry: fromAction(action), time: timeOf(action.created_at) ?? 0, order: -1 - at }))
  return [...provider, ...ours].sort((a, b) => b.time - a.time || b.order - a.order).map((item) => item.entry)
}
