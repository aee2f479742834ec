import type { Sandbox } from '@/sandbox/sandbox'
import { type Payment, stateOf } from './payment'
import { firstLook, standingOf, wholeCheck } from './payment-checks'
import { makeMove } from './payment-moves'
import { forcedBy } from './payment-outcomes'
import { since, waits } from './payment-times'

/** Checks a created payment, in two looks: what is found at once, and everything else a little later. */
function check(sandbox: Sandbox, payment: Payment, at: number): void {
  const rest = since(payment) + waits.check
  const early = at < rest
  const verdict = (early ? firstLook : wholeCheck)(sandbox, payment, at)
  if (verdict) makeMove(sandbox, verdict.move, payment, at, verdict.cause)
  else if (early) sandbox.timers.set('payment', payment.n, rest)
  else makeMove(sandbox, 'schedule', payment, at)
}

/** Sends a scheduled payment; its account, paykey or customer may have been stopped while it waited for its date. */
function send(sandbox: Sandbox, payment: Payment, at: number): void {
  const verdict = standingOf(sandbox, payment, at)
  makeMove(sandbox, verdict?.move ?? 'originate', payment, at, verdict?.cause)
}

/** How many of its three passes of `pending` a payment has made; it never leaves that state to come back. */
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
 * Makes the one step of a payment that is due; `at` is the time it was due, so a clock that jumped gives every step its own. Only payments
 * that were asked for or touched by a request have a timer; seeded ones stand still.
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
