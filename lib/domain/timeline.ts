import { formatDay, parseTime } from '@/lib/dates'
import { capitalizeFirst } from '@/lib/formats'
import type { ActionView } from '@/lib/operations/answer'
import type { AuthorizationDetails } from '@/lib/operations/payment-input.schema'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { formatReason } from './reasons'
import type { Tone } from './status'

const methodTexts: Readonly<Record<AuthorizationDetails['method'], string>> = {
  internet: 'on the internet',
  signed_agreement: 'by signed agreement',
}

export function formatAuthorization(proof: AuthorizationDetails | 'unreadable'): string {
  if (proof === 'unreadable')
    return 'The authorization details cannot be read: their encryption key is lost.'
  const { authorized_by, authorized_on, method, note } = proof
  return `Authorized by ${authorized_by} on ${formatDay(authorized_on)} ${methodTexts[method]}.${note ? ` Note: ${note}` : ''}`
}

export type TimelineEntry = {
  id: string
  source: 'provider' | 'paydesk'
  at: string | null
  title: string
  detail: string | null
  /** Warnings the requester confirmed before sending. */
  confirmed: readonly string[]
  by: string
  tone: Tone
  raw: Record<string, string>
  action: ActionView | null
}

const toneByState: Record<ActionView['state'], Tone> = {
  awaiting_approval: 'moving',
  sending: 'moving',
  applied: 'good',
  refused: 'bad',
  unknown: 'held',
  needs_human: 'held',
  rejected: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
  void: 'bad',
}

const actionStateTexts: Record<ActionView['state'], string> = {
  awaiting_approval: 'awaiting approval',
  sending: 'being sent',
  applied: 'done',
  refused: 'refused',
  unknown: 'outcome unknown',
  needs_human: 'needs a decision',
  rejected: 'approval rejected',
  withdrawn: 'request withdrawn',
  expired: 'request expired',
  void: 'request void',
}

/** Null if the state of the action already shows the outcome. */
function formatApproval({ approval }: ActionView): string | null {
  if (approval?.outcome === 'approved') return `Approved by ${approval.by}.`
  if (approval?.outcome === 'rejected') return `Rejected by ${approval.by}: ${approval.reason}`
  return approval?.outcome === 'void' ? approval.reason : null
}

function getActionDetail(action: ActionView): string | null {
  const { decided, file, proof, reason, error } = action
  const mainDetail = decided
    ? `${decided.by}: ${decided.evidence}`
    : (file?.name ?? (reason ? `Reason: ${formatReason(reason)}` : error?.detail) ?? null)
  const detailParts = [
    mainDetail,
    proof && formatAuthorization(proof),
    formatApproval(action),
  ].filter((part) => part)
  return detailParts.length > 0 ? detailParts.join(' — ') : null
}

function toActionEntry(action: ActionView): TimelineEntry {
  const decidedSuffix = action.decided ? ', decided manually' : ''
  const attemptsSuffix = action.attempts.length > 1 ? `, ${action.attempts.length} attempts` : ''
  return {
    id: `paydesk-${action.id}`,
    source: 'paydesk',
    at: action.created_at,
    title: `${capitalizeFirst(getServiceOperation(action.operation).verbPhrase)}: ${actionStateTexts[action.state]}${decidedSuffix}${action.replayed ? ', replayed' : ''}${attemptsSuffix}`,
    detail: getActionDetail(action),
    confirmed: action.warnings.map(({ sentence }) => sentence),
    by: action.own ? 'you' : action.actor,
    tone: action.decided ? 'held' : toneByState[action.state],
    raw: { key: action.idempotency_key, correlation_id: action.correlation_id },
    action,
  }
}

/** Newest first. A history entry without a time stays next to the entry before it. */
export function mergeTimeline(
  history: readonly TimelineEntry[],
  actions: readonly ActionView[],
): TimelineEntry[] {
  let lastTime = Number.NEGATIVE_INFINITY
  const providerEntries = history.map((entry, order) => {
    lastTime = parseTime(entry.at) ?? lastTime
    return { entry, time: lastTime, order }
  })
  const actionEntries = actions.map((action, at) => ({
    entry: toActionEntry(action),
    time: parseTime(action.created_at) ?? 0,
    order: -1 - at,
  }))
  return [...providerEntries, ...actionEntries]
    .sort((a, b) => b.time - a.time || b.order - a.order)
    .map((item) => item.entry)
}
