import type { Decision } from '@/sandbox/decisions'
import type { Sandbox } from '@/sandbox/sandbox'
import { standingOf } from './payment-checks'
import { makeMove } from './payment-moves'
import { paymentStatuses, statusReasons } from './payment-values'

const onHold = paymentStatuses.indexOf('on_hold')
const inReview = statusReasons.indexOf('watchtower_review')

/** Returns the slots of the payments that wait for a decision about that paykey or customer, oldest first. */
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
 * Resumes or fails the payments that wait for a decided paykey or customer. Payments held by a person stay held, as do those that also wait
 * for the other decision.
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
