import type { Sandbox } from '@/sandbox/sandbox'
import { paymentDateOf } from '@/sandbox/store/clock'
import { type Payment, stateOf } from './payment'
import { clockMoveFrom, makeMove } from './payment-moves'

const aMinute = 60_000

/** Makes the one step that is due, or puts it off while the payment date has not come. */
function stepOn(payment: Payment, at: number): void {
  const name = clockMoveFrom(stateOf(payment).status)
  if (name === undefined) payment.next_move_at = null
  else if (name === 'originate' && payment.payment_date > paymentDateOf(at)) payment.next_move_at = at + aMinute
  else makeMove(name, payment, at)
}

/**
 * Moves on every payment whose time has come on the sandbox's clock: created, scheduled, pending, paid. Only payments that a request has
 * touched have such a time; seeded ones stand still. One that waits for its payment date is looked at again a minute later.
 */
export function moveByClock({ payments, store, clock }: Sandbox): void {
  const now = clock.now()
  // Each round makes one step per payment, so a jump of hours ends when nothing is due any more.
  for (let due = payments.due(now); due.length > 0; due = payments.due(now)) {
    store.transaction(() => {
      for (const payment of due) {
        stepOn(payment, payment.next_move_at ?? now)
        payments.save(payment)
      }
    })
  }
}
