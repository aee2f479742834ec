import { bankDay, timeOf } from '@/lib/dates'
import { dayAfter, isBankingDay } from '@/lib/domain/bank-time'
import { type LimitName, type LimitSet, type LimitType, limitNames, limitText, limitWords } from '@/lib/domain/limit-labels'
import { inTable } from '@/lib/domain/service-words'
import type { Tone } from '@/lib/domain/status'
import type { WireError } from '@/lib/errors'
import type { ActionState } from '@/lib/operations/answer'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { LimitUsage } from './usage'

/** After so many banking days without a word a request is drawn as stale: the service's help speaks of two to three. */
export const staleAfter = 5

/** The state of a request for other limits. The last five are ends; of the others the service still has to say something. */
export const requestStates = [
  'unconfirmed',
  'sent',
  'in_review',
  'stale',
  'granted',
  'partly',
  'changed',
  'applied',
  'rejected',
  'not_sent',
] as const

/** One of the states. */
type RequestState = (typeof requestStates)[number]

/** What a request is judged by: what held and was asked, how the sending went, what the service says of it now and what is in force now. */
export type RequestFacts = {
  before: LimitSet
  asked: LimitSet
  /** When it was asked, ISO. */
  askedAt: string
  action: ActionState
  /** The state of the service's own capability request; null where the list does not hold it. */
  capability: string | null
  /** The limits in force; null where they could not be read. */
  now: LimitSet | null
  /** When the settings were first seen to hold what was asked for, ISO; null until then. */
  appliedAt: string | null
}

/** One limit three ways: what it was, what it is, what was asked for. `now` is undefined where it is not known. */
export type ThreeWay = {
  name: LimitName
  before: number | undefined
  now: number | undefined
  asked: number
  state: 'met' | 'waiting' | 'moved'
}

/** A request as it is: its state, how old it is in banking days, whether the next may be asked, and each limit three ways. */
type Tracking = { state: RequestState; bankingDays: number; isOpen: boolean; limits: ThreeWay[] }

const openStates: readonly RequestState[] = ['unconfirmed', 'sent', 'in_review', 'stale', 'granted']

/** Banking days that have ended between an instant and now, by the calendar of New York. */
export function bankingDaysSince(askedAt: string, now: number): number {
  const asked = timeOf(askedAt)
  if (asked === null || asked >= now) return 0
  const today = bankDay(now)
  let days = 0
  for (let date = dayAfter(bankDay(asked), 1); date <= today; date = dayAfter(date, 1)) if (isBankingDay(date)) days += 1
  return days
}

function threeWay({ before, asked, now }: RequestFacts): ThreeWay[] {
  return limitNames.flatMap((name): ThreeWay[] => {
    const wish = asked[name]
    if (wish === undefined) return []
    const current = now?.[name]
    const state = current === wish ? 'met' : current === undefined || current === before[name] ? 'waiting' : 'moved'
    return [{ name, before: before[name], now: current, asked: wish, state }]
  })
}

const waiting: Readonly<Record<string, RequestState>> = { in_review: 'in_review', reviewing: 'in_review', approved: 'granted' }
const ended = ['active', 'inactive']

/** What the settings say: they are the truth, whatever the state of the request is called. Null while nothing moved. */
function bySettings(limits: readonly ThreeWay[], capability: string | null): RequestState | null {
  const met = limits.filter((limit) => limit.state === 'met').length
  if (limits.length > 0 && met === limits.length) return 'applied'
  if (limits.some((limit) => limit.state === 'moved')) return met > 0 ? 'partly' : 'changed'
  return met > 0 || (capability !== null && ended.includes(capability)) ? 'partly' : null
}

function byService(capability: string | null, bankingDays: number): RequestState {
  const state = inTable(waiting, capability) ?? 'sent'
  return state !== 'granted' && bankingDays >= staleAfter ? 'stale' : state
}

/** The states that end a request whatever the settings say; null where it goes on. */
function endOf({ action, capability, appliedAt }: RequestFacts): RequestState | null {
  if (action === 'refused') return 'not_sent'
  if (appliedAt !== null) return 'applied'
  return capability === 'rejected' ? 'rejected' : null
}

function stateOf(facts: RequestFacts, limits: readonly ThreeWay[], bankingDays: number): RequestState {
  const end = endOf(facts)
  if (end) return end
  const settled = bySettings(limits, facts.capability)
  if (settled) return settled
  return facts.action === 'applied' ? byService(facts.capability, bankingDays) : 'unconfirmed'
}

/**
 * The state of a request (product 4.5). The service answers a capability request and says nothing afterwards, so it is told from the settings:
 * when they hold what was asked it is applied, when they hold a part it is partly granted, and when they moved elsewhere all three values are shown.
 */
export function trackRequest(facts: RequestFacts, now: number): Tracking {
  const limits = threeWay(facts)
  const bankingDays = bankingDaysSince(facts.askedAt, now)
  const state = stateOf(facts, limits, bankingDays)
  const isLookedAt = waiting[facts.capability ?? ''] !== undefined
  const isOpen = openStates.includes(state) || ((state === 'changed' || state === 'partly') && isLookedAt)
  return { state, bankingDays, isOpen, limits }
}

/** Each state in words: a label, a tone, and what it means for the one who asked. */
export const requestWords: Readonly<Record<RequestState, { label: string; tone: Tone; meaning: string }>> = {
  unconfirmed: {
    label: 'Being confirmed',
    tone: 'held',
    meaning: 'Not yet confirmed by the service. Checking continues in the background.',
  },
  sent: { label: 'Sent', tone: 'moving', meaning: 'The service received the request.' },
  in_review: {
    label: 'In review',
    tone: 'review',
    meaning: 'Awaiting the provider’s compliance team, usually two to three banking days.',
  },
  stale: { label: 'Stale', tone: 'held', meaning: `No decision within ${staleAfter} banking days. Contact the service.` },
  granted: { label: 'Granted', tone: 'moving', meaning: 'Granted, not in force yet.' },
  partly: { label: 'Partly granted', tone: 'held', meaning: 'Some of the requested limits are in force.' },
  changed: { label: 'Changed meanwhile', tone: 'held', meaning: 'The limits changed, but not to the requested values.' },
  applied: { label: 'Applied', tone: 'good', meaning: 'The requested limits are in force.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'The service did not grant the request.' },
  not_sent: { label: 'Refused', tone: 'bad', meaning: 'The service rejected the request. No review is running.' },
}

/** A limit three ways in a line: "Per payment: was 5,000.00, is 7,500.00, requested 20,000.00". */
export function threeWayText({ name, before, now, asked }: ThreeWay): string {
  const is = now === undefined ? 'now unknown' : now === before ? 'unchanged' : `is ${limitText(name, now)}`
  return `${limitWords[name].label}: was ${limitText(name, before)}, ${is}, requested ${limitText(name, asked)}`
}

/** Whether the service looks at a request for a payment type now, whoever made it and wherever. */
export const isLookedAt = (capabilities: readonly Pick<CapabilityRequest, 'type' | 'status'>[], type: LimitType): boolean =>
  capabilities.some((each) => each.type === type && inTable(waiting, each.status) === 'in_review')

/**
 * A request for other limits as the desk tracks it. `before` is what held just before it was sent, `asked` what was asked for; amounts in minor
 * units. `capability` is the service's own request. `note` says what could not be read, so that the state may be older than it looks.
 */
export type LimitRequestView = {
  id: string
  account: string
  type: LimitType
  before: LimitSet
  asked: LimitSet
  justification: string
  asked_by: string
  own: boolean
  created_at: string
  action: { id: string; state: ActionState } | null
  capability: { id: string; status: string } | null
  tracking: Tracking
  /** When it was seen to have ended; null while it is open. */
  closed_at: string | null
  note: string | null
}

/** What was used of the limits of one payment type, and when that was read; or why it could not be. */
export type LimitUse = { ok: true; usage: LimitUsage; readAt: string } | { ok: false; error: WireError; requestId: string }

export type LimitUses = Record<LimitType, LimitUse>
