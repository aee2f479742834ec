import { parseTime, toNewYorkDate } from '@/lib/dates'
import { addDays, isBankingDay } from '@/lib/domain/bank-time'
import {
  type LimitedPaymentType,
  type LimitName,
  type LimitSet,
  limitNames,
  limitText,
  limitWords,
} from '@/lib/domain/limit-labels'
import { findEntry } from '@/lib/domain/service-words'
import type { Tone } from '@/lib/domain/status'
import type { WireError } from '@/lib/errors'
import type { ActionState } from '@/lib/operations/answer'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { LimitUsage } from './usage'

/**
 * A request without a decision is stale after this many banking days. The service's help promises a
 * decision within two to three.
 */
export const staleAfterBankingDays = 5

/**
 * The states of a limit request: five open ones, then five final ones. `changed` and `partly` are
 * open as long as the service still reviews the request.
 */
export const limitRequestStates = [
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

type LimitRequestState = (typeof limitRequestStates)[number]

type SentRequest = {
  paymentType: string
  createdAt: Date
  /** Its action. `mentions` are the ids in the service's response, if one was read. */
  action: { state: ActionState; mentions: readonly string[] | null } | null
}

/**
 * Returns the service's capability request for a limit request, or null. It is the one with an id
 * in the service's response. If no response was read, because a person decided the outcome, it is
 * the first one of the payment type that was created since.
 */
export function findCapabilityRequest(
  { paymentType, createdAt, action }: SentRequest,
  capabilityRequests: readonly CapabilityRequest[] | null,
): CapabilityRequest | null {
  const typeRequests = (capabilityRequests ?? []).filter(({ type }) => type === paymentType)
  const mentions = action?.mentions ?? []
  if (mentions.length > 0) return typeRequests.find(({ id }) => mentions.includes(id)) ?? null
  if (action?.state !== 'applied') return null
  // The service may send times in whole seconds.
  const since = Math.floor(createdAt.getTime() / 1000) * 1000
  const laterRequests = typeRequests.flatMap((request) => {
    const at = parseTime(request.created_at)
    return at !== null && at >= since ? [{ request, at }] : []
  })
  return laterRequests.sort((one, other) => one.at - other.at)[0]?.request ?? null
}

/**
 * The facts that determine the state of a request: the limits before it, the requested ones and
 * those in force, the state of its action, and the state at the service.
 */
export type LimitRequestFacts = {
  before: LimitSet
  asked: LimitSet
  /** ISO time of the request. */
  askedAt: string
  action: ActionState
  /**
   * The state of the service's capability request; null if the service's list does not contain it.
   */
  capability: string | null
  /** Limits in force; null if they could not be read. */
  now: LimitSet | null
  /** ISO time at which the settings first matched the request; null until then. */
  appliedAt: string | null
}

/**
 * One limit as it was before the request, as it is now, and as requested. `now` is undefined if it
 * is unknown. `state`: `met` if the limit has the requested value, `moved` if it has another new
 * value, otherwise `waiting`.
 */
export type LimitComparison = {
  name: LimitName
  before: number | undefined
  now: number | undefined
  asked: number
  state: 'met' | 'waiting' | 'moved'
}

/**
 * The state of a request, its age in banking days, and its limits. While `isOpen`, no other request
 * for the same payment type can be made.
 */
type LimitRequestTracking = {
  state: LimitRequestState
  bankingDays: number
  isOpen: boolean
  limits: LimitComparison[]
}

const openRequestStates: readonly LimitRequestState[] = [
  'unconfirmed',
  'sent',
  'in_review',
  'stale',
  'granted',
]

/**
 * Returns the number of banking days since a request, by dates in New York. The day of the request
 * does not count, but today does.
 */
export function countBankingDaysSince(askedAt: string, now: number): number {
  const requestTime = parseTime(askedAt)
  if (requestTime === null || requestTime >= now) return 0
  const today = toNewYorkDate(now)
  let bankingDayCount = 0
  for (let date = addDays(toNewYorkDate(requestTime), 1); date <= today; date = addDays(date, 1))
    if (isBankingDay(date)) bankingDayCount += 1
  return bankingDayCount
}

function compareLimits({ before, asked, now }: LimitRequestFacts): LimitComparison[] {
  return limitNames.flatMap((name): LimitComparison[] => {
    const requestedLimit = asked[name]
    if (requestedLimit === undefined) return []
    const currentLimit = now?.[name]
    const state =
      currentLimit === requestedLimit
        ? 'met'
        : currentLimit === undefined || currentLimit === before[name]
          ? 'waiting'
          : 'moved'
    return [{ name, before: before[name], now: currentLimit, asked: requestedLimit, state }]
  })
}

const openCapabilityStates: Readonly<Record<string, LimitRequestState>> = {
  in_review: 'in_review',
  reviewing: 'in_review',
  approved: 'granted',
}
const closedCapabilityStates = ['active', 'inactive']

/**
 * Returns the state of a request that follows from the limits in force. Null if none of them has
 * changed and the service's request is not closed.
 */
function findStateFromSettings(
  limits: readonly LimitComparison[],
  capability: string | null,
): LimitRequestState | null {
  const metCount = limits.filter((limit) => limit.state === 'met').length
  if (limits.length > 0 && metCount === limits.length) return 'applied'
  if (limits.some((limit) => limit.state === 'moved')) return metCount > 0 ? 'partly' : 'changed'
  return metCount > 0 || (capability !== null && closedCapabilityStates.includes(capability))
    ? 'partly'
    : null
}

function getStateFromService(capability: string | null, bankingDays: number): LimitRequestState {
  const state = findEntry(openCapabilityStates, capability) ?? 'sent'
  return state !== 'granted' && bankingDays >= staleAfterBankingDays ? 'stale' : state
}

/**
 * Returns the final state of a request that does not depend on the settings; null if there is none.
 */
function findFinalState({
  action,
  capability,
  appliedAt,
}: LimitRequestFacts): LimitRequestState | null {
  if (action === 'refused') return 'not_sent'
  if (appliedAt !== null) return 'applied'
  return capability === 'rejected' ? 'rejected' : null
}

function toRequestState(
  facts: LimitRequestFacts,
  limits: readonly LimitComparison[],
  bankingDays: number,
): LimitRequestState {
  const finalState = findFinalState(facts)
  if (finalState) return finalState
  const settingsState = findStateFromSettings(limits, facts.capability)
  if (settingsState) return settingsState
  return facts.action === 'applied'
    ? getStateFromService(facts.capability, bankingDays)
    : 'unconfirmed'
}

/**
 * Returns the state of a request (product 4.5). The service sends nothing after its first response,
 * so the state is derived from the settings. `applied`: all limits have the requested values.
 * `partly`: some have. `changed`: limits changed to other values.
 */
export function trackLimitRequest(facts: LimitRequestFacts, now: number): LimitRequestTracking {
  const limits = compareLimits(facts)
  const bankingDays = countBankingDaysSince(facts.askedAt, now)
  const state = toRequestState(facts, limits, bankingDays)
  const isInReview = openCapabilityStates[facts.capability ?? ''] !== undefined
  const isOpen =
    openRequestStates.includes(state) || ((state === 'changed' || state === 'partly') && isInReview)
  return { state, bankingDays, isOpen, limits }
}

export const limitRequestLabels: Readonly<
  Record<LimitRequestState, { label: string; tone: Tone; meaning: string }>
> = {
  unconfirmed: {
    label: 'Being confirmed',
    tone: 'held',
    meaning: 'Not yet confirmed by the service. Checking continues in the background.',
  },
  sent: { label: 'Sent', tone: 'moving', meaning: 'The service received the request.' },
  in_review: {
    label: 'In review',
    tone: 'review',
    meaning: 'Awaiting the provider’s compliance team, usually two to three business days.',
  },
  stale: {
    label: 'Stale',
    tone: 'held',
    meaning: `No decision within ${staleAfterBankingDays} business days. Contact the service.`,
  },
  granted: { label: 'Granted', tone: 'moving', meaning: 'Granted, not in force yet.' },
  partly: {
    label: 'Partly granted',
    tone: 'held',
    meaning: 'Some of the requested limits are in force.',
  },
  changed: {
    label: 'Changed meanwhile',
    tone: 'held',
    meaning: 'The limits changed, but not to the requested values.',
  },
  applied: { label: 'Applied', tone: 'good', meaning: 'The requested limits are in force.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'The service did not grant the request.' },
  not_sent: {
    label: 'Refused',
    tone: 'bad',
    meaning: 'The service rejected the request. No review is running.',
  },
}

/** Returns a limit in one line: "Per payment: was 5,000.00, is 7,500.00, requested 20,000.00". */
export function toComparisonText({ name, before, now, asked }: LimitComparison): string {
  const currentText =
    now === undefined ? 'now unknown' : now === before ? 'unchanged' : `is ${limitText(name, now)}`
  return `${limitWords[name].label}: was ${limitText(name, before)}, ${currentText}, requested ${limitText(name, asked)}`
}

/**
 * True if the service reviews a request for a payment type, including requests that were made
 * outside Paydesk.
 */
export const isBeingReviewed = (
  capabilities: readonly Pick<CapabilityRequest, 'type' | 'status'>[],
  type: LimitedPaymentType,
): boolean =>
  capabilities.some(
    (each) => each.type === type && findEntry(openCapabilityStates, each.status) === 'in_review',
  )

/**
 * A limit request as Paydesk tracks it. `before` has the limits just before it was sent, `asked`
 * the requested ones; amounts are minor units. `capability` is the service's request. `note` is set
 * if something could not be read, so that the state may be outdated.
 */
export type LimitRequestView = {
  id: string
  account: string
  type: LimitedPaymentType
  before: LimitSet
  asked: LimitSet
  justification: string
  asked_by: string
  own: boolean
  created_at: string
  action: { id: string; state: ActionState } | null
  capability: { id: string; status: string } | null
  tracking: LimitRequestTracking
  /** The time at which Paydesk found that the request has ended; null while it is open. */
  closed_at: string | null
  note: string | null
}

/** The use of the limits of one payment type with the time of the read, or the error. */
export type LimitUse =
  | { ok: true; usage: LimitUsage; readAt: string }
  | { ok: false; error: WireError; requestId: string }

export type LimitUses = Record<LimitedPaymentType, LimitUse>
