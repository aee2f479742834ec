import type { CheckResult } from '@/lib/domain/check'
import { getStatusWords, isKnownStatus, whyUnknownState } from '@/lib/domain/status'
import type { ActionView } from '@/lib/operations/answer'
import type { Paykey, PaykeyReview } from '@/lib/operations/paykeys.schema'

/** Named like the verbs in the operation ids. */
export type PaykeyAction = 'decide' | 'refresh_review' | 'refresh_balance' | 'unblock' | 'cancel'

/** Provider facts 1.3, 3.3. A refresh is allowed only if it can still change something. */
export const allowedStates: Readonly<Record<PaykeyAction, readonly string[]>> = {
  decide: ['review'],
  refresh_review: ['active', 'review'],
  refresh_balance: ['active', 'review'],
  unblock: ['blocked'],
  cancel: ['pending', 'active', 'review', 'blocked'],
}

const actionParticiples: Readonly<Record<PaykeyAction, string>> = {
  decide: 'approved or rejected',
  refresh_review: 're-verified',
  refresh_balance: 'refreshed',
  unblock: 'unblocked',
  cancel: 'canceled',
}

/** `why`: the condition that failed. `decision`: the next step. Both are sentences. */
type UnblockObstacle = {
  id: 'status' | 'eligible' | 'unknown' | 'used'
  why: string
  decision: string
}

const newAccountAdvice = 'Ask the customer to connect another bank account.'
const askProviderAdvice = 'Contact provider support with the paykey ID.'

/**
 * Null if all conditions are met. The service permits one unblock per paykey, and only after the
 * return code R29 (provider facts 3.3). A missing `unblock_eligible` never counts as eligible.
 */
export function findUnblockObstacle(
  paykey: Pick<Paykey, 'status' | 'unblock_eligible' | 'status_details'>,
  isUnblockUsed: boolean,
): UnblockObstacle | null {
  if (paykey.status !== 'blocked')
    return {
      id: 'status',
      why: whyStatusForbidsAction('unblock', paykey.status) ?? '',
      decision: 'No unblock is needed.',
    }
  if (isUnblockUsed) {
    return {
      id: 'used',
      why: 'This paykey was already unblocked in Paydesk, and a paykey can be unblocked only once.',
      decision: newAccountAdvice,
    }
  }
  if (paykey.unblock_eligible === true) return null
  if (paykey.unblock_eligible === undefined) {
    return {
      id: 'unknown',
      why: 'The service does not say whether this paykey is eligible to unblock.',
      decision: askProviderAdvice,
    }
  }
  const returnCode = paykey.status_details?.code
  const whyIneligible =
    returnCode === 'R29' || returnCode === undefined
      ? 'Not eligible to unblock according to the service: the one unblock was used, or the block is permanent.'
      : `Not eligible to unblock according to the service: a block after ${returnCode} is permanent; only R29 can be unblocked.`
  return { id: 'eligible', why: whyIneligible, decision: newAccountAdvice }
}

/** An unknown outcome counts too, because the unblock may have succeeded. */
export function wasUnblockedInPaydesk(
  actions: readonly Pick<ActionView, 'operation' | 'state'>[],
): boolean {
  return actions.some(
    ({ operation, state }) => operation === 'paykeys.unblock' && state !== 'refused',
  )
}

export function whyNotPaykeyAction(
  action: PaykeyAction,
  paykey: Pick<Paykey, 'status' | 'unblock_eligible' | 'status_details'>,
  actions: readonly Pick<ActionView, 'operation' | 'state'>[] = [],
): string | null {
  if (action !== 'unblock') return whyStatusForbidsAction(action, paykey.status)
  const unblockObstacle = findUnblockObstacle(paykey, wasUnblockedInPaydesk(actions))
  return (
    unblockObstacle &&
    (unblockObstacle.id === 'status'
      ? unblockObstacle.why
      : `${unblockObstacle.why} ${unblockObstacle.decision}`)
  )
}

function whyStatusForbidsAction(action: PaykeyAction, status: string): string | null {
  const actionStates = allowedStates[action]
  if (actionStates.includes(status)) return null
  if (!isKnownStatus('paykey', status)) return whyUnknownState(status)
  const allowedStatusText = actionStates
    .map((state) => getStatusWords('paykey', state).label.toLowerCase())
    .join(' or ')
  return `This paykey is ${getStatusWords('paykey', status).label.toLowerCase()}: only a paykey that is ${allowedStatusText} can be ${actionParticiples[action]}.`
}

/** The person confirms in the form the conditions that the data cannot show. */
export function createUnblockChecks(
  paykey: Parameters<typeof whyNotPaykeyAction>[1],
  isUnblockUsed: boolean,
  readAt: string,
): CheckResult[] {
  const { status, unblock_eligible } = paykey
  const eligibilityFindings = {
    true: { result: 'pass', sentence: 'Eligible according to the service.' },
    false: { result: 'fail', sentence: 'Not eligible according to the service.' },
    undefined: { result: 'unknown', sentence: 'The service does not say.' },
  } as const
  return [
    {
      id: 'status',
      label: 'Blocked',
      result: status === 'blocked' ? 'pass' : 'fail',
      sentence: `The paykey is ${getStatusWords('paykey', status).label.toLowerCase()}.`,
      at: readAt,
    },
    {
      id: 'eligible',
      label: 'Eligible',
      ...eligibilityFindings[`${unblock_eligible}`],
      at: readAt,
    },
    {
      id: 'unused',
      label: 'First unblock',
      result: isUnblockUsed ? 'fail' : 'pass',
      sentence: isUnblockUsed
        ? 'This paykey was already unblocked in Paydesk.'
        : 'This paykey was never unblocked in Paydesk.',
      at: null,
    },
  ]
}

/**
 * The service returns `pending` until the balance arrives. After that, `updated_at` is new, even if
 * the refresh failed (provider facts 1.3, 2.8).
 */
export function hasNewBalance(previousPaykey: Paykey, currentPaykey: Paykey): boolean {
  return (
    currentPaykey.balance?.status !== 'pending' &&
    currentPaykey.balance?.updated_at !== previousPaykey.balance?.updated_at
  )
}

export function hasNewReview(previousReview: PaykeyReview, currentReview: PaykeyReview): boolean {
  const hasNewTime =
    previousReview.verification_details?.updated_at !==
    currentReview.verification_details?.updated_at
  return hasNewTime || previousReview.paykey_details.status !== currentReview.paykey_details.status
}

export function formatBalanceResult({ balance }: Paykey): string {
  if (balance?.status === 'completed') return 'Balance updated.'
  if (balance?.status === 'failed')
    return 'The bank returned no balance. The last known balance is kept.'
  return 'The service returned no balance.'
}
