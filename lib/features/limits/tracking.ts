import { parseTime, toNewYorkDate } from '@/lib/dates'
import { addDays, isBankingDay } from '@/lib/domain/bank-time'
import {
  formatLimitValue,
  type LimitedPaymentType,
  type LimitName,
  type LimitSet,
  limitNames,
  limitWords,
} from '@/lib/domain/limit-labels'
import { findOwnValue } from '@/lib/domain/service-words'
import type { Tone } from '@/lib/domain/status'
import type { WireError } from '@/lib/errors'
import type { ActionState } from '@/lib/operations/answer'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { LimitUsage } from './usage'

/**
 * A request without a decision is `stale` after this many banking days. The service's help promises
 * a decision within two to three.
 */
export const staleAfterBankingDays = 5

/**
 * The first five states are open, the other six final. But `changed` and `partly` count as open
 * while the service's own request is open.
 */
export const limitRequestStates = [
  'unconfirmed',
  'sent',
  'in_review',
  'stale',
  'granted',
  'partly',
  'changed',
  'unchanged',
  'applied',
  'rejected',
  'not_sent',
] as const

type LimitRequestState = (typeof limitRequestStates)[number]

type SentLimitRequest = {
  paymentType: string
  createdAt: Date
  /** `mentions`: the ids in the service's response, if one was read. */
  action: { state: ActionState; mentions: readonly string[] | null } | null
}

/**
 * Finds the service's request by an id in its response. If no response was read, because a person
 * decided the outcome, it is the first request of the payment type since this one was created.
 */
export function findCapabilityRequest(
  { paymentType, createdAt, action }: SentLimitRequest,
  capabilityRequests: readonly CapabilityRequest[] | null,
): CapabilityRequest | null {
  const sameTypeRequests = (capabilityRequests ?? []).filter(({ type }) => type === paymentType)
  const mentionedIds = action?.mentions ?? []
  if (mentionedIds.length > 0)
    return sameTypeRequests.find(({ id }) => mentionedIds.includes(id)) ?? null
  if (action?.state !== 'applied') return null
  // The service may send times in whole seconds, so our time is rounded down to a second.
  const earliestTime = Math.floor(createdAt.getTime() / 1000) * 1000
  const laterRequests = sameTypeRequests.flatMap((request) => {
    const createdTime = parseTime(request.created_at)
    return createdTime !== null && createdTime >= earliestTime ? [{ request, at: createdTime }] : []
  })
  return laterRequests.sort((one, other) => one.at - other.at)[0]?.request ?? null
}

export type LimitRequestFacts = {
  before: LimitSet
  asked: LimitSet
  askedAt: string
  action: ActionState
  /** State of the service's capability request; null if the service's list lacks the request. */
  capability: string | null
  /** Limits in force; null if they could not be read. */
  now: LimitSet | null
  /** ISO time at which the settings first matched the request; null until then. */
  appliedAt: string | null
}

/** `now`: undefined if unknown. `moved`: the limit has a new value, but not the requested one. */
export type LimitComparison = {
  name: LimitName
  before: number | undefined
  now: number | undefined
  asked: number
  state: 'met' | 'waiting' | 'moved'
}

/** While `isOpen`, no other request for the same payment type can be made. */
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

/** By dates in New York. The day of the request does not count, but today does. */
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
    const comparisonState =
      currentLimit === requestedLimit
        ? 'met'
        : currentLimit === undefined || currentLimit === before[name]
          ? 'waiting'
          : 'moved'
    return [
      {
        name,
        before: before[name],
        now: currentLimit,
        asked: requestedLimit,
        state: comparisonState,
      },
    ]
  })
}

const openCapabilityStates: Readonly<Record<string, LimitRequestState>> = {
  in_review: 'in_review',
  reviewing: 'in_review',
  approved: 'granted',
}

/** Null if no limit has changed. */
function findStateFromSettings(limits: readonly LimitComparison[]): LimitRequestState | null {
  const metLimitCount = limits.filter((limit) => limit.state === 'met').length
  if (limits.length > 0 && metLimitCount === limits.length) return 'applied'
  if (metLimitCount > 0) return 'partly'
  return limits.some((limit) => limit.state === 'moved') ? 'changed' : null
}

/**
 * For a request that has changed no limit. The limits may have been read before it became `active`,
 * so they may still change until `staleAfterBankingDays`.
 */
function getStateFromService(capability: string | null, bankingDays: number): LimitRequestState {
  const isLate = bankingDays >= staleAfterBankingDays
  if (capability === 'inactive') return 'unchanged'
  if (capability === 'active') return isLate ? 'unchanged' : 'granted'
  const openState = findOwnValue(openCapabilityStates, capability) ?? 'sent'
  return openState !== 'granted' && isLate ? 'stale' : openState
}

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
  const settingsState = findStateFromSettings(limits)
  if (settingsState) return settingsState
  return facts.action === 'applied'
    ? getStateFromService(facts.capability, bankingDays)
    : 'unconfirmed'
}

/** The service sends nothing after its response, so the settings show the state (product 4.5). */
export function trackLimitRequest(facts: LimitRequestFacts, now: number): LimitRequestTracking {
  const limitComparisons = compareLimits(facts)
  const bankingDays = countBankingDaysSince(facts.askedAt, now)
  const requestState = toRequestState(facts, limitComparisons, bankingDays)
  const isInReview = findOwnValue(openCapabilityStates, facts.capability) !== undefined
  const isOpen =
    openRequestStates.includes(requestState) ||
    ((requestState === 'changed' || requestState === 'partly') && isInReview)
  return { state: requestState, bankingDays, isOpen, limits: limitComparisons }
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
  unchanged: { label: 'Ended unchanged', tone: 'held', meaning: 'No limit was changed.' },
  applied: { label: 'Applied', tone: 'good', meaning: 'The requested limits are in force.' },
  rejected: { label: 'Rejected', tone: 'bad', meaning: 'The service did not grant the request.' },
  not_sent: {
    label: 'Refused',
    tone: 'bad',
    meaning: 'The service rejected the request. No review is running.',
  },
}

export function toComparisonText({ name, before, now, asked }: LimitComparison): string {
  const currentText =
    now === undefined
      ? 'now unknown'
      : now === before
        ? 'unchanged'
        : `is ${formatLimitValue(name, now)}`
  return `${limitWords[name].label}: was ${formatLimitValue(name, before)}, ${currentText}, requested ${formatLimitValue(name, asked)}`
}

/** Includes requests that were made outside Paydesk. */
export const isCapabilityInReview = (
  capabilities: readonly Pick<CapabilityRequest, 'type' | 'status'>[],
  type: LimitedPaymentType,
): boolean =>
  capabilities.some(
    (each) => each.type === type && findOwnValue(openCapabilityStates, each.status) === 'in_review',
  )

/**
 * `before`: the limits just before the request was sent. Amounts are minor units. `note`: what
 * could not be read, so that the state may be outdated.
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
  /** When Paydesk found that the request has ended; null while it is open. */
  closed_at: string | null
  note: string | null
}

export type LimitUse =
  | { ok: true; usage: LimitUsage; readAt: string }
  | { ok: false; error: WireError; requestId: string }

export type LimitUses = Record<LimitedPaymentType, LimitUse>

type CapabilityRequestsResult = {
  data: readonly CapabilityRequest[]
  meta: { unreadable_rows?: unknown }
}

export const isCompleteRead = ({ data, meta }: CapabilityRequestsResult): boolean =>
  !meta.unreadable_rows && data.every(({ type, status }) => type !== '' && status !== '')
