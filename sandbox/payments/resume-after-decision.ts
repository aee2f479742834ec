import type { Decision } from '@/sandbox/decisions'
import type { Sandbox } from '@/sandbox/sandbox'
import { standingOf } from './payment-checks'
import { makeMove } from './payment-moves'
import { paymentStatuses, statusReasons } from './payment-values'

const onHold = paymentStatuses.indexOf('on_hold')
const inReview = statusReasons.indexOf('watchtower_review')

/** The payments that wait for a decision about the paykey or customer with that number, oldest first. */
function waiting({ payments }: Sandbox, column: Decision['about'], number: number): number[] {
  const { columns } = payments
  const [owner, status, reason] = [columns.column(column), columns.column('status'), columns.column('reason')]
  const slots: number[] = []
  for (let slot = 0; slot < columns.size; slot++) {
    if (owner[slot] === number && status[slot] === onHold && reason[slot] === inReview) slots.push(slot)
  }
  return slots
}

const undecided = ['review', 'pending']

/**
 * Lets the payments that wait for a paykey or customer go on, or fail, once it is decided; those that a person holds stay, and so do those that
 * wait for the other one as well.
 */
export function resumeAfterDecision(sandbox: Sandbox, { about, number, status, at }: Decision): void {
  if (undecided.includes(status)) return
  for (const slot of waiting(sandbox, about, number)) {
    const payment = sandbox.payments.at(slot)
    const verdict = standingOf(sandbox, payment, at)
    if (!verdict) makeMove(sandbox, 'resume', payment, at)
    else if (verdict.move === 'check_fail') makeMove(sandbox, 'review_fail', payment, at, verdict.cause)
  }
}
