import type { Sandbox } from '@/sandbox/sandbox'
import { paymentStatuses, statusReasons } from './payment'
import { standingOf } from './payment-checks'
import { makeMove } from './payment-moves'

const onHold = paymentStatuses.indexOf('on_hold')
const inReview = statusReasons.indexOf('watchtower_review')

/** The payments that wait for a decision about the paykey or customer with that number, oldest first. */
function waiting({ payments }: Sandbox, column: 'paykey' | 'customer', number: number): number[] {
  const { columns } = payments
  const [owner, status, reason] = [columns.column(column), columns.column('status'), columns.column('reason')]
  const slots: number[] = []
  for (let slot = 0; slot < columns.size; slot++) {
    if (owner[slot] === number && status[slot] === onHold && reason[slot] === inReview) slots.push(slot)
  }
  return slots
}

function reconsider(sandbox: Sandbox, column: 'paykey' | 'customer', number: number, now: number): void {
  for (const slot of waiting(sandbox, column, number)) {
    const payment = sandbox.payments.at(slot)
    const verdict = standingOf(sandbox, payment, now)
    if (!verdict) makeMove(sandbox, 'resume', payment, now)
    else if (verdict.move === 'check_fail') makeMove(sandbox, 'review_fail', payment, now, verdict.cause)
  }
}

const undecided = ['review', 'pending']

/**
 * Lets the payments that wait for a paykey go on, or fail, once it is decided; those that a person holds stay, and so do those that wait for
 * their customer as well. Call it in the transaction of the decision, after the paykey was saved with its new `status`.
 */
export function paykeyDecided(sandbox: Sandbox, paykeyNumber: number, status: string, now: number): void {
  if (!undecided.includes(status)) reconsider(sandbox, 'paykey', paykeyNumber, now)
}

/** The same for a customer: after it was verified, rejected, deactivated or deleted. */
export function customerDecided(sandbox: Sandbox, customerNumber: number, status: string, now: number): void {
  if (!undecided.includes(status)) reconsider(sandbox, 'customer', customerNumber, now)
}
