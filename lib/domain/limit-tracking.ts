import { bankDay, timeOf } from '@/lib/dates'
import type { ActionState } from '@/lib/operations/answer'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import { limitNames } from '@/lib/operations/enumerations'
import { dayAfter, isBankingDay } from './bank-time'
import { type LimitName, type LimitSet, type LimitType, limitText, limitWords } from './limit-words'
import type { Tone } from './status'

/** After so many banking days without a word a request is drawn as stale: the service's help speaks of two to three. */
export const staleAfter = 5

/** Where a request for other limits stands. The last five are ends; of the others the service still has to say something. */
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
export type RequestState = (typeof requestStates)[number]

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

/** A request as it stands: its state, how old it is in banking days, whether the next may be asked, and each limit three ways. */
export type Tracking = { state: RequestState; bankingDays: number; isOpen: boolean; limits: ThreeWay[] }

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
  const state = waiting[capability ?? ''] ?? 'sent'
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
 * Where a request stands (product 4.5). The service answers a capability request and says nothing afterwards, so it is told from the settings:
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
  unconfirmed: { label: 'Being confirmed', tone: 'held', meaning: 'It is not certain yet that the service has it. Paydesk keeps asking.' },
  sent: { label: 'Sent', tone: 'moving', meaning: 'The service has it and has not said more.' },
  in_review: {
    label: 'In review',
    tone: 'review',
    meaning: 'The compliance of the service looks at it, usually for two or three banking days.',
  },
  stale: { label: 'Stale', tone: 'held', meaning: `Nothing came of it in ${staleAfter} banking days: ask the service.` },
  granted: { label: 'Granted', tone: 'moving', meaning: 'Granted, and not in force yet.' },
  partly: { label: 'Partly granted', tone: 'held', meaning: 'Some of what was asked for is in force, and some is not.' },
  changed: { label: 'Changed meanwhile', tone: 'held', meaning: 'The limits moved, but not to what was asked for.' },
  applied: { label: 'Applied', tone: 'good', meaning: 'The settings hold what was asked for.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'The service did not grant it.' },
  not_sent: { label: 'Refused', tone: 'bad', meaning: 'The service did not take the request; nothing is being looked at.' },
}

/** A limit three ways in a line: "One payment: was 5,000.00, is 7,500.00, asked 20,000.00". */
export function threeWayText({ name, before, now, asked }: ThreeWay): string {
  const is = now === undefined ? 'now not known' : now === before ? 'still so' : `is ${limitText(name, now)}`
  return `${limitWords[name].label}: was ${limitText(name, before)}, ${is}, asked ${limitText(name, asked)}`
}

/** Whether the service looks at a request for a payment type now, whoever made it and wherever. */
export const isLookedAt = (capabilities: readonly Pick<CapabilityRequest, 'type' | 'status'>[], type: LimitType): boolean =>
  capabilities.some((each) => each.type === type && waiting[each.status] === 'in_review')
