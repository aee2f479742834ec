import { type AmountUnit, toMinorUnits } from '@/lib/money'
import type { Payment, PaymentKind } from './payment-kind'
import { findReturnCode } from './return-codes'
import { findOwnValue } from './service-words'
import { getStatusWords, isKnownStatus, whyUnknownState } from './status'

/** Actions on a charge or payout, named as in the operation id. */
export type PaymentAction =
  | 'release'
  | 'hold'
  | 'cancel'
  | 'update'
  | 'resubmit'
  | 'refund'
  | 'authorize'

/**
 * The states in which the service permits each action (provider facts 3.1, 1.4, 1.5). A proof can
 * be uploaded (`authorize`) in any state.
 */
export const allowedStates: Record<PaymentAction, readonly string[] | 'any'> = {
  release: ['on_hold'],
  hold: ['created', 'scheduled'],
  cancel: ['created', 'scheduled', 'on_hold'],
  // Not `scheduled`, which older documents list: the service refuses it (provider facts 1.4).
  update: ['created', 'on_hold'],
  resubmit: ['failed', 'reversed', 'cancelled'],
  refund: ['paid'],
  authorize: 'any',
}

const actionVerbs: Record<PaymentAction, string> = {
  release: 'released',
  hold: 'held',
  cancel: 'canceled',
  update: 'changed',
  resubmit: 'resubmitted',
  refund: 'refunded',
  authorize: 'given a document',
}

/**
 * Returns the actions to show, in display order. Some of them may be unavailable; in an unknown
 * state, only `authorize` is available.
 */
export function listPaymentActions(kind: PaymentKind, status: string): readonly PaymentAction[] {
  if (allowedStates.resubmit.includes(status)) return ['resubmit', 'authorize']
  if (allowedStates.refund.includes(status))
    return kind === 'charge' ? ['refund', 'authorize'] : ['authorize']
  return ['release', 'hold', 'cancel', 'update', 'authorize']
}

/** On hold, or not sent to the bank network yet. An unknown state counts as undecided. */
export const isPaymentUndecided = (status: string): boolean =>
  !isKnownStatus('payment', status) ||
  ['created', 'validating', 'scheduled', 'on_hold'].includes(status)

export type PaymentRuleInput = Pick<
  Payment,
  'status' | 'amount' | 'status_details' | 'has_resubmit' | 'has_refund'
>

export type PaymentRuleContext = { kind: PaymentKind; paykeyStatus?: string; unit: AmountUnit }

/** Returns a sentence (which quotes an unknown state), or null if the action is available. */
export function whyActionUnavailable(
  action: PaymentAction,
  payment: PaymentRuleInput,
  context: PaymentRuleContext,
): string | null {
  const actionStates = allowedStates[action]
  if (actionStates === 'any') return null
  if (action === 'refund' && context.kind === 'payout') return 'Only a charge can be refunded.'
  return (
    whyNotInState(action, payment.status, actionStates, context.kind) ??
    whyNotRepeatable(action, payment, context.kind) ??
    whyAmountUnreadable(payment.amount, context.unit) ??
    whyPaykeyUnusable(action, context) ??
    whyReturnCodeForbids(action, payment, context.kind)
  )
}

const getCheckInProgressText = (kind: PaymentKind) =>
  `The payments service is checking this ${kind}. Try again in a moment.`

/** By `<action> <state>`: why, and what the person can do instead. */
const unavailableReasons: Readonly<Record<string, (kind: PaymentKind) => string>> = {
  'update scheduled': (kind) =>
    `A scheduled ${kind} cannot be edited. Hold it first, then edit it.`,
  'update validating': getCheckInProgressText,
  'hold validating': getCheckInProgressText,
  'cancel validating': getCheckInProgressText,
  'update pending': (kind) => `This ${kind} is with the bank network and can no longer be edited.`,
  'hold pending': (kind) => `This ${kind} is with the bank network and can no longer be held.`,
  'cancel pending': (kind) =>
    `This ${kind} is with the bank network and can no longer be canceled.`,
  'release pending': (kind) =>
    `This ${kind} is already with the bank network: there is nothing to release.`,
}

function whyNotInState(
  action: PaymentAction,
  status: string,
  states: readonly string[],
  kind: PaymentKind,
): string | null {
  if (states.includes(status)) return null
  if (!isKnownStatus('payment', status)) return whyUnknownState(status)
  const reasonText = findOwnValue(unavailableReasons, `${action} ${status}`)
  if (reasonText) return reasonText(kind)
  const allowedStatusText = states
    .map((state) => getStatusWords('payment', state).label.toLowerCase())
    .join(' or ')
  return `This ${kind} is ${getStatusWords('payment', status).label.toLowerCase()}: only a ${kind} that is ${allowedStatusText} can be ${actionVerbs[action]}.`
}

/**
 * A second resubmission or refund is useless: the service accepts it, then cancels the new payment
 * (provider facts 3.1).
 */
function whyNotRepeatable(
  action: PaymentAction,
  payment: PaymentRuleInput,
  kind: PaymentKind,
): string | null {
  if (action !== 'resubmit' && action !== 'refund') return null
  const wasAlreadyDone = action === 'resubmit' ? payment.has_resubmit : payment.has_refund
  if (wasAlreadyDone === true)
    return action === 'resubmit'
      ? `This ${kind} was already resubmitted.`
      : `This ${kind} was already refunded.`
  if (wasAlreadyDone === undefined)
    return `The service does not say whether this ${kind} was already ${actionVerbs[action]}, so this action is unavailable.`
  return null
}

function whyAmountUnreadable(rawAmount: string, unit: AmountUnit): string | null {
  if (toMinorUnits(rawAmount, unit) !== null) return null
  return 'The amount cannot be read in the configured unit. Ask an admin to check the amount unit.'
}

const newPaymentPhrases: Partial<Record<PaymentAction, string>> = {
  release: 'a released',
  resubmit: 'another',
  refund: 'a refund',
}
const paykeyStateTexts: Readonly<Record<string, string>> = {
  blocked: 'is blocked',
  rejected: 'was rejected',
  inactive: 'is inactive',
}

/**
 * Returns why the paykey prevents the action, or null. A payment on a paykey in review stays on
 * hold until the review ends (interface document). A payment on an unusable paykey fails at once.
 */
function whyPaykeyUnusable(
  action: PaymentAction,
  { kind, paykeyStatus }: PaymentRuleContext,
): string | null {
  const newPaymentPhrase = newPaymentPhrases[action]
  if (newPaymentPhrase === undefined || paykeyStatus === undefined) return null
  if (paykeyStatus === 'review' && action === 'release')
    return `The bank account is in review: the ${kind} stays on hold until the bank account is approved or rejected.`
  const paykeyStateText = Object.hasOwn(paykeyStateTexts, paykeyStatus)
    ? paykeyStateTexts[paykeyStatus]
    : undefined
  return paykeyStateText
    ? `The bank account ${paykeyStateText}: ${action === 'refund' ? newPaymentPhrase : `${newPaymentPhrase} ${kind}`} would fail at once.`
    : null
}

/** The same bank account would return the payment again. */
function whyReturnCodeForbids(
  action: PaymentAction,
  { status_details }: PaymentRuleInput,
  kind: PaymentKind,
): string | null {
  const returnCode = action === 'resubmit' ? findReturnCode(status_details?.code) : null
  if (returnCode?.again !== 'never') return null
  return `${status_details?.code}, ${returnCode.meaning.charAt(0).toLowerCase()}${returnCode.meaning.slice(1)}: the same bank account would return the payment again. Create a new ${kind} instead.`
}
