import type { Sandbox } from '@/sandbox/sandbox'
import { type Payment, stateOf } from './payment'
import { firstLook, standingOf, wholeCheck } from './payment-checks'
import { makeMove } from './payment-moves'
import { forcedBy } from './payment-outcomes'
import { since, waits } from './payment-times'

/** Checks a created payment in two steps: the instant checks first, all others a little later. */
function check(sandbox: Sandbox, payment: Payment, at: number): void {
  const rest = since(payment) + waits.check
  const early = at < rest
  const verdict = (early ? firstLook : wholeCheck)(sandbox, payment, at)
  if (verdict) makeMove(sandbox, verdict.move, payment, at, verdict.cause)
  else if (early) sandbox.timers.set('payment', payment.n, rest)
  else makeMove(sandbox, 'schedule', payment, at)
}

/** Sends a scheduled payment. Its account, paykey or customer may have been stopped since it was scheduled. */
function send(sandbox: Sandbox, payment: Payment, at: number): void {
  const verdict = standingOf(sandbox, payment, at)
  makeMove(sandbox, verdict?.move ?? 'originate', payment, at, verdict?.cause)
}

/** Number of `pending` passes so far (of three); a payment never returns to that state. */
const passes = ({ doc }: Payment): number => doc.status_history.filter(({ status }) => status === 'pending').length

function moveOn(sandbox: Sandbox, payment: Payment, at: number): void {
  const pass = passes(payment)
  const forced = forcedBy(payment.doc.config.sandbox_outcome)
  if (pass < 2) makeMove(sandbox, 'post', payment, at)
  else if (pass < 3) makeMove(sandbox, 'receive', payment, at)
  else if (forced?.move === 'fail') makeMove(sandbox, 'fail', payment, at, forced.cause)
  else makeMove(sandbox, 'settle', payment, at)
}

/**
 * Makes the due step of a payment; `at` is its due time, so after a clock jump each step has its own time. Only payments touched by a
 * request have a timer; seeded ones do not move.
 */
export function movePayment(sandbox: Sandbox, target: string, at: number): void {
  const payment = sandbox.payments.at(Number(target) - 1)
  const { status } = stateOf(payment)
  const forced = forcedBy(payment.doc.config.sandbox_outcome)
  if (status === 'created') check(sandbox, payment, at)
  else if (status === 'scheduled') send(sandbox, payment, at)
  else if (status === 'pending') moveOn(sandbox, payment, at)
  else if (status === 'paid' && forced?.move === 'reverse') makeMove(sandbox, 'reverse', payment, at, forced.cause)
}
