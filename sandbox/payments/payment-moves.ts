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
 * The whole state machine of charges and payouts: which state each move may start from and where it leads (provider-facts 3.1).
 * Those by `ask` are operations, those by `clock` are the service's own. `pending` is passed three times: sent to the network, posted at the
 * customer's bank, and received from it. Releasing a payment that is already `created` is answered 200 without an effect, as the provider does.
 * A payment may wait for its date for long, so a part of the checks is made again when it is to be sent: they stop a `scheduled` one too.
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

/** A move that leads to a state; the others are asked about with `requireMove` and leave the state alone. */
export type StateMove = Exclude<MoveName, 'update' | 'resubmit' | 'refund'>

const asked = { reason: 'user_request', source: 'user_action' } as const
const checked = { reason: 'payment_blocked', source: 'watchtower' } as const
const usual = { reason: 'ok', source: 'system' } as const

const causes: Readonly<Record<StateMove, Cause>> = {
  hold: { ...asked, message: 'Held on request' },
  release: { ...asked, message: 'Released on request' },
  cancel: { ...asked, message: 'Cancelled on request' },
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

/** Money moved, or came back, and funding has to count it. */
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

/** The number a network gives an entry: the first eight digits of the sending bank, and a count. */
const traceNumber = (payment: Payment): string => `02100002${String(payment.n % 10_000_000).padStart(7, '0')}`

/**
 * Makes a move, and is the only writer of histories: a new last entry, the times, the timer of what the clock does next, the saved
 * payment, its event, and what follows for funding and for the bank account. `requested` replaces the move's usual cause; a caller's reason
 * goes verbatim into `message`, as at the provider. A release over a limit keeps the amount it was given for. The caller has asked `requireMove` before, inside a transaction.
 */
export function makeMove(sandbox: Sandbox, name: StateMove, payment: Payment, now: number, requested: Requested = {}): void {
  const { to } = paymentMachine.moves[name]
  const status = to === 'same' ? stateOf(payment).status : to
  const entry = entryFor(name, status, now, requested)
  if (name === 'release' && stateOf(payment).reason === 'amount_too_large') payment.doc.released_amount = payment.amount
  payment.doc.status_history.push(entry)
  // A step of the clock is done a moment after it was due; an upload may have come in between.
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

/** The first entry of a new payment's history: `created`, or `on_hold` when its configuration asks for that. */
export function firstState(config: { auto_hold?: boolean | undefined; auto_hold_message?: string | undefined }, now: number): StatusChange {
  const at = { changed_at: iso(now), code: null }
  if (!config.auto_hold) return { status: 'created', ...usual, message: 'Payment created, waits for checks', ...at }
  const message = config.auto_hold_message ?? 'Held at creation, as asked'
  return { status: 'on_hold', reason: 'auto_hold', source: 'watchtower', message, ...at }
}

/** Hands a payment that was just inserted to the clock. Seeded ones never are, which is why they stand still. */
export function startPayment(sandbox: Sandbox, payment: Payment): void {
  setTimer(sandbox, payment)
}
