import { fundPayment } from '@/sandbox/funding/fund-payment'
import { machine } from '@/sandbox/machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { iso } from '@/sandbox/store/clock'
import { blockAfterReturn } from './block-after-return'
import { type Payment, type StatusChange, stateOf } from './payment'
import { announcePayment } from './payment-events'
import type { Cause } from './payment-outcomes'
import { nextLookAt } from './payment-times'
import { type PaymentStatus, paymentStatuses } from './payment-values'

/**
 * State machine of charges and payouts (provider-facts 3.1). Moves by `ask` are operations, those by `clock` are the service's own.
 * `pending` has three passes: sent to the network, posted at the customer's bank, received from it. Releasing a `created` payment returns
 * 200 without an effect, as at the provider. Some checks run again when a payment is sent, because it may wait long for its date: they also
 * stop a `scheduled` one.
 */
export const paymentMachine = machine({
  noun: 'payment',
  states: paymentStatuses,
  moves: {
    hold: { by: 'ask', from: ['created', 'scheduled'], to: 'on_hold', done: 'held' },
    release: { by: 'ask', from: ['on_hold'], to: 'created', already: ['created'], done: 'released' },
    cancel: { by: 'ask', from: ['created', 'scheduled', 'on_hold'], to: 'cancelled', done: 'cancelled' },
    update: { by: 'ask', from: ['created', 'on_hold'], to: 'same', done: 'updated' },
    resubmit: { by: 'ask', from: ['failed', 'reversed', 'cancelled'], to: 'same', done: 'resubmitted' },
    refund: { by: 'ask', from: ['paid'], to: 'same', done: 'refunded' },
    schedule: { by: 'clock', from: ['created'], to: 'scheduled', done: 'scheduled' },
    check_hold: { by: 'clock', from: ['created', 'scheduled'], to: 'on_hold', done: 'held by a check' },
    check_fail: { by: 'clock', from: ['created', 'scheduled'], to: 'failed', done: 'failed by a check' },
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

export type MoveName = keyof typeof paymentMachine.moves

/** Moves that lead to a state. The others only need `requireMove` and keep the state. */
export type StateMove = Exclude<MoveName, 'update' | 'resubmit' | 'refund'>

const requestCause = { reason: 'user_request', source: 'user_action' } as const
const checked = { reason: 'payment_blocked', source: 'watchtower' } as const
const usual = { reason: 'ok', source: 'system' } as const

const causes: Readonly<Record<StateMove, Cause>> = {
  hold: { ...requestCause, message: 'Held on request' },
  release: { ...requestCause, message: 'Released on request' },
  cancel: { ...requestCause, message: 'Cancelled on request' },
  schedule: { ...usual, message: 'Checks passed; waits for its payment date' },
  check_hold: { reason: 'watchtower_review', source: 'watchtower', message: 'Held by a check' },
  check_fail: { ...checked, message: 'Failed a check' },
  check_cancel: { ...checked, message: 'Cancelled by a check' },
  resume: { ...usual, message: 'The review was decided; waits for checks' },
  review_fail: { ...checked, message: 'The review was decided against it' },
  originate: { ...usual, message: 'Sent to the bank network' },
  post: { ...usual, message: "Posted at the customer's bank" },
  receive: { ...usual, message: "Received from the customer's bank" },
  settle: { ...usual, message: 'Funding completed' },
  fail: { reason: 'other_network_return', source: 'bank_decline', message: 'Returned by the bank' },
  reverse: { reason: 'other_network_return', source: 'bank_decline', message: 'Returned by the bank after it was paid' },
}

/** Moves that funding must count. */
const funded: readonly StateMove[] = ['originate', 'settle', 'fail', 'reverse']

type Requested = { [Part in keyof Cause]?: Cause[Part] | undefined }

function entryFor(name: StateMove, status: PaymentStatus, now: number, requested: Requested): StatusChange {
  const { reason, source, message } = causes[name]
  return {
    status,
    reason: requested.reason ?? reason,
    source: requested.source ?? source,
    message: requested.message ?? message,
    changed_at: iso(now),
    code: requested.code ?? null,
  }
}

function setTimer(sandbox: Sandbox, payment: Payment): void {
  const at = nextLookAt(payment)
  if (at === undefined) sandbox.timers.clear('payment', payment.n)
  else sandbox.timers.set('payment', payment.n, at)
}

/** Trace number of an entry: the first eight digits of the sending bank and a counter. */
const traceNumber = (payment: Payment): string => `02100002${String(payment.n % 10_000_000).padStart(7, '0')}`

/**
 * Makes a move; the only writer of histories. It adds the history entry, sets times and the next timer, saves, sends the event, and updates
 * funding and the bank account. `requested` overrides the usual cause; a caller's reason becomes `message` verbatim, as at the provider.
 * Releasing a payment held for a limit records the released amount. The caller has called `requireMove`, inside a transaction.
 */
export function makeMove(sandbox: Sandbox, name: StateMove, payment: Payment, now: number, requested: Requested = {}): void {
  const { to } = paymentMachine.moves[name]
  const status = to === 'same' ? stateOf(payment).status : to
  const entry = entryFor(name, status, now, requested)
  if (name === 'release' && stateOf(payment).reason === 'amount_too_large') payment.doc.released_amount = payment.amount
  payment.doc.status_history.push(entry)
  // A clock step runs shortly after its due time; an upload may have come in between.
  payment.updated_at = Math.max(payment.updated_at, now)
  if (name === 'originate') {
    payment.processed_at = now
    payment.doc.trace_ids = { ...payment.doc.trace_ids, [payment.type]: traceNumber(payment) }
  }
  if (name === 'settle') payment.effective_at = now
  sandbox.payments.save(payment)
  setTimer(sandbox, payment)
  announcePayment(sandbox, payment, now)
  if (funded.includes(name)) fundPayment(sandbox, payment, now)
  blockAfterReturn(sandbox, payment, entry, now)
}

/** Returns the first history entry: `created`, or `on_hold` if the configuration requests it. */
export function firstState(config: { auto_hold?: boolean | undefined; auto_hold_message?: string | undefined }, now: number): StatusChange {
  const at = { changed_at: iso(now), code: null }
  if (!config.auto_hold) return { status: 'created', ...usual, message: 'Payment created, waits for checks', ...at }
  const message = config.auto_hold_message ?? 'Held at creation, as asked'
  return { status: 'on_hold', reason: 'auto_hold', source: 'watchtower', message, ...at }
}

/** Sets the first timer of a new payment. Seeded payments get none, so they do not move. */
export function startPayment(sandbox: Sandbox, payment: Payment): void {
  setTimer(sandbox, payment)
}
