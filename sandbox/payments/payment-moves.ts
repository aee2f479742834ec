import { fundPayment } from '@/sandbox/funding/make-funding-event'
import { defineMachine } from '@/sandbox/machine'
import type { Sandbox, StatusDecision } from '@/sandbox/sandbox'
import { toIsoTime } from '@/sandbox/store/clock'
import {
  getCurrentState,
  getNextMoveAt,
  getStateChangedAt,
  type Payment,
  type StatusChange,
  stepDelaysMs,
} from './payment'
import { checkParties, runFullCheck, runInstantCheck } from './payment-checks'
import { findForcedMove, type StatusCause } from './payment-outcomes'
import { recordPaymentEvent } from './payment-reads'
import { scheduleBlockAfterReturn } from './payment-rights'
import { type PaymentStatus, paymentStatuses, statusReasons } from './payment-values'

/**
 * State machine of charges and payouts (provider-facts 3.1). A payment has three `pending` entries
 * in its history: sent to the network, posted at the customer's bank, received from that bank.
 * Releasing a `created` payment changes nothing, as at the provider. `check_hold` and `check_fail`
 * also start from `scheduled`, because account, paykey and customer are checked again when the
 * payment is sent.
 */
export const paymentMachine = defineMachine({
  noun: 'payment',
  states: paymentStatuses,
  moves: {
    hold: { by: 'ask', from: ['created', 'scheduled'], to: 'on_hold', done: 'held' },
    release: {
      by: 'ask',
      from: ['on_hold'],
      to: 'created',
      already: ['created'],
      done: 'released',
    },
    cancel: {
      by: 'ask',
      from: ['created', 'scheduled', 'on_hold'],
      to: 'cancelled',
      done: 'cancelled',
    },
    update: { by: 'ask', from: ['created', 'on_hold'], to: 'same', done: 'updated' },
    resubmit: {
      by: 'ask',
      from: ['failed', 'reversed', 'cancelled'],
      to: 'same',
      done: 'resubmitted',
    },
    refund: { by: 'ask', from: ['paid'], to: 'same', done: 'refunded' },
    schedule: { by: 'clock', from: ['created'], to: 'scheduled', done: 'scheduled' },
    check_hold: {
      by: 'clock',
      from: ['created', 'scheduled'],
      to: 'on_hold',
      done: 'held by a check',
    },
    check_fail: {
      by: 'clock',
      from: ['created', 'scheduled'],
      to: 'failed',
      done: 'failed by a check',
    },
    check_cancel: { by: 'clock', from: ['created'], to: 'cancelled', done: 'cancelled by a check' },
    resume: { by: 'clock', from: ['on_hold'], to: 'created', done: 'resumed' },
    review_fail: { by: 'clock', from: ['on_hold'], to: 'failed', done: 'failed by a review' },
    originate: { by: 'clock', from: ['scheduled'], to: 'pending', done: 'originated' },
    post: { by: 'clock', from: ['pending'], to: 'pending', done: 'posted' },
    receive: { by: 'clock', from: ['pending'], to: 'pending', done: 'received' },
    settle: { by: 'clock', from: ['pending'], to: 'paid', done: 'settled' },
    fail: { by: 'clock', from: ['pending'], to: 'failed', done: 'returned before it was paid' },
    reverse: { by: 'clock', from: ['paid'], to: 'reversed', done: 'reversed' },
  },
})

type MoveName = keyof typeof paymentMachine.moves

/** Update, resubmit and refund keep the status, so they add no entry to the history. */
type StateMove = Exclude<MoveName, 'update' | 'resubmit' | 'refund'>

const userRequestCause = { reason: 'user_request', source: 'user_action' } as const
const blockedByCheckCause = { reason: 'payment_blocked', source: 'watchtower' } as const
const systemCause = { reason: 'ok', source: 'system' } as const

const causeByMove: Readonly<Record<StateMove, StatusCause>> = {
  hold: { ...userRequestCause, message: 'The platform asked for this hold' },
  release: { ...userRequestCause, message: 'Released on request' },
  cancel: { ...userRequestCause, message: 'Cancelled on request' },
  schedule: { ...systemCause, message: 'Checks passed; waits for its payment date' },
  check_hold: { reason: 'watchtower_review', source: 'watchtower', message: 'Held by a check' },
  check_fail: { ...blockedByCheckCause, message: 'Failed a check' },
  check_cancel: { ...blockedByCheckCause, message: 'Cancelled by a check' },
  resume: { ...systemCause, message: 'The review was decided; waits for checks' },
  review_fail: { ...blockedByCheckCause, message: 'The review was decided against it' },
  originate: { ...systemCause, message: 'Sent to the bank network' },
  post: { ...systemCause, message: "Posted at the customer's bank" },
  receive: { ...systemCause, message: "Received from the customer's bank" },
  settle: { ...systemCause, message: 'Funding completed' },
  fail: { reason: 'other_network_return', source: 'bank_decline', message: 'Returned by the bank' },
  reverse: {
    reason: 'other_network_return',
    source: 'bank_decline',
    message: 'Returned by the bank after it was paid',
  },
}

const fundingTriggerMoves: readonly StateMove[] = ['originate', 'settle', 'fail', 'reverse']

type RequestedCause = { [Part in keyof StatusCause]?: StatusCause[Part] | undefined }

function makeHistoryEntry(
  name: StateMove,
  status: PaymentStatus,
  now: number,
  requested: RequestedCause,
): StatusChange {
  const { reason, source, message } = causeByMove[name]
  return {
    status,
    reason: requested.reason ?? reason,
    source: requested.source ?? source,
    message: requested.message ?? message,
    changed_at: toIsoTime(now),
    code: requested.code ?? null,
  }
}

function setPaymentTimer(sandbox: Sandbox, payment: Payment): void {
  const nextMoveAt = getNextMoveAt(payment)
  if (nextMoveAt === undefined) sandbox.timers.clear('payment', payment.n)
  else sandbox.timers.set('payment', payment.n, nextMoveAt)
}

/** First the sending bank's routing number (8 digits), then the payment's number (7 digits). */
const makeTraceNumber = (payment: Payment): string =>
  `02100002${String(payment.n % 10_000_000).padStart(7, '0')}`

/**
 * Makes a move and adds its entry to the payment's history. `requested` overrides the default
 * cause. A caller's reason becomes `message` unchanged, as at the provider. Releasing a payment
 * that a limit held stores the released amount. For a requested move, the caller must call
 * `requireMove` first, in the same transaction.
 */
export function applyPaymentMove(
  sandbox: Sandbox,
  name: StateMove,
  payment: Payment,
  now: number,
  requested: RequestedCause = {},
): void {
  const { to } = paymentMachine.moves[name]
  const newStatus = to === 'same' ? getCurrentState(payment).status : to
  const historyEntry = makeHistoryEntry(name, newStatus, now, requested)
  if (name === 'release' && getCurrentState(payment).reason === 'amount_too_large')
    payment.doc.released_amount = payment.amount
  payment.doc.status_history.push(historyEntry)
  // Never set `updated_at` back. A timer passes its due time as `now`, and an upload may have
  // changed the payment after that time.
  payment.updated_at = Math.max(payment.updated_at, now)
  if (name === 'originate') {
    payment.processed_at = now
    payment.doc.trace_ids = { ...payment.doc.trace_ids, [payment.type]: makeTraceNumber(payment) }
  }
  if (name === 'settle') payment.effective_at = now
  sandbox.payments.save(payment)
  setPaymentTimer(sandbox, payment)
  recordPaymentEvent(sandbox, payment, now)
  if (fundingTriggerMoves.includes(name)) fundPayment(sandbox, payment, now)
  scheduleBlockAfterReturn(sandbox, payment, historyEntry, now)
}

export function makeFirstStatusChange(
  config: { auto_hold?: boolean | undefined; auto_hold_message?: string | undefined },
  now: number,
): StatusChange {
  const timeFields = { changed_at: toIsoTime(now), code: null }
  if (!config.auto_hold)
    return {
      status: 'created',
      ...systemCause,
      message: 'Payment created, waits for checks',
      ...timeFields,
    }
  const holdMessage = config.auto_hold_message ?? 'Held at creation, as asked'
  return {
    status: 'on_hold',
    reason: 'auto_hold',
    source: 'watchtower',
    message: holdMessage,
    ...timeFields,
  }
}

/** Sets the first timer of a new payment. Seeded payments have no timer, so they do not move. */
export function startPaymentTimer(sandbox: Sandbox, payment: Payment): void {
  setPaymentTimer(sandbox, payment)
}

/** `runInstantCheck` runs one second after the last status change, `runFullCheck` after five. */
function checkAndMovePayment(sandbox: Sandbox, payment: Payment, at: number): void {
  const fullCheckAt = getStateChangedAt(payment) + stepDelaysMs.check
  const isBeforeFullCheck = at < fullCheckAt
  const verdict = (isBeforeFullCheck ? runInstantCheck : runFullCheck)(sandbox, payment, at)
  if (verdict) applyPaymentMove(sandbox, verdict.move, payment, at, verdict.cause)
  else if (isBeforeFullCheck) sandbox.timers.set('payment', payment.n, fullCheckAt)
  else applyPaymentMove(sandbox, 'schedule', payment, at)
}

/**
 * Sends the payment, or holds or fails it if its account, paykey or customer no longer allows it.
 */
function sendPayment(sandbox: Sandbox, payment: Payment, at: number): void {
  const verdict = checkParties(sandbox, payment, at)
  applyPaymentMove(sandbox, verdict?.move ?? 'originate', payment, at, verdict?.cause)
}

/** Counts all `pending` entries, because a payment never returns to that status. */
const countPendingEntries = ({ doc }: Payment): number =>
  doc.status_history.filter(({ status }) => status === 'pending').length

function movePendingPayment(sandbox: Sandbox, payment: Payment, at: number): void {
  const pendingEntryCount = countPendingEntries(payment)
  const forcedMove = findForcedMove(payment.doc.config.sandbox_outcome)
  if (pendingEntryCount < 2) applyPaymentMove(sandbox, 'post', payment, at)
  else if (pendingEntryCount < 3) applyPaymentMove(sandbox, 'receive', payment, at)
  else if (forcedMove?.move === 'fail')
    applyPaymentMove(sandbox, 'fail', payment, at, forcedMove.cause)
  else applyPaymentMove(sandbox, 'settle', payment, at)
}

/**
 * Makes the next automatic move of a payment. `at` is the due time of the timer, so that after a
 * clock jump each move has its own time. The timer's target is the payment's number, as a text.
 */
export function movePayment(sandbox: Sandbox, paymentNumber: string, at: number): void {
  const payment = sandbox.payments.at(Number(paymentNumber) - 1)
  const { status } = getCurrentState(payment)
  const forcedOutcomeMove = findForcedMove(payment.doc.config.sandbox_outcome)
  if (status === 'created') checkAndMovePayment(sandbox, payment, at)
  else if (status === 'scheduled') sendPayment(sandbox, payment, at)
  else if (status === 'pending') movePendingPayment(sandbox, payment, at)
  else if (status === 'paid' && forcedOutcomeMove?.move === 'reverse')
    applyPaymentMove(sandbox, 'reverse', payment, at, forcedOutcomeMove.cause)
}

const onHoldStatusCode = paymentStatuses.indexOf('on_hold')
const inReviewReasonCode = statusReasons.indexOf('watchtower_review')

/**
 * Returns the slots (payment number minus one) of the payments that are held until one paykey or
 * customer is decided, oldest first.
 */
function findWaitingSlots(
  { payments }: Sandbox,
  column: StatusDecision['about'],
  ownerRowNumber: number,
): number[] {
  const { columns } = payments
  const [owner, status, reason] = [
    columns.column(column),
    columns.column('status'),
    columns.column('reason'),
  ]
  const slots: number[] = []
  for (let slot = 0; slot < columns.size; slot++) {
    if (
      owner[slot] === ownerRowNumber &&
      status[slot] === onHoldStatusCode &&
      reason[slot] === inReviewReasonCode
    )
      slots.push(slot)
  }
  return slots
}

const undecidedStatuses = ['review', 'pending']

/**
 * Resumes or fails the payments that waited for a decision about a paykey or customer. Payments
 * that a person held stay held. Payments that also wait for a second decision stay held too.
 */
export function resumeWaitingPayments(
  sandbox: Sandbox,
  { about, number, status, at }: StatusDecision,
): void {
  if (undecidedStatuses.includes(status)) return
  for (const slot of findWaitingSlots(sandbox, about, number)) {
    const payment = sandbox.payments.at(slot)
    const verdict = checkParties(sandbox, payment, at)
    if (!verdict) applyPaymentMove(sandbox, 'resume', payment, at)
    else if (verdict.move === 'check_fail')
      applyPaymentMove(sandbox, 'review_fail', payment, at, verdict.cause)
  }
}
