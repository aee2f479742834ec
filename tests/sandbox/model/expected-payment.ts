import { expect } from 'vitest'
import type { PaymentStart } from './payment-input'
import type { HistoryEntry } from './payment-oracle'
import type { ServiceObject } from './subject'

export const readHistory = ({ status_history }: ServiceObject) =>
  status_history as (HistoryEntry & { message: string })[]
export const readHistoryWithoutMessages = (payment: ServiceObject): HistoryEntry[] =>
  readHistory(payment).map(({ message: _message, ...entry }) => entry)

/**
 * Checks that a requested move added its entry to the payment’s history. `move` is null if the
 * request must not add one.
 */
export function expectMoveInHistory(
  before: ServiceObject,
  after: ServiceObject,
  move: string | null,
): void {
  const historyAfter = readHistory(after)
  const expectedEntry = {
    status: after.status,
    reason: 'user_request',
    source: 'user_action',
    code: null,
    message: `Asked to ${move}`,
    changed_at: historyAfter.at(-1)?.changed_at,
  }
  expect(historyAfter).toEqual(
    move === null ? readHistory(before) : [...readHistory(before), expectedEntry],
  )
}

/** Checks the payment after the end of its paykey’s review: it must continue or fail. */
export function expectEndOfReview(
  before: ServiceObject,
  after: ServiceObject,
  paykeyStatus: string,
): void {
  const continuedEntry = { status: 'created', reason: 'ok', source: 'system', code: null }
  const failedEntry = {
    status: 'failed',
    reason: 'invalid_paykey',
    source: 'watchtower',
    code: null,
  }
  const expectedReviewEntry = {
    ...(paykeyStatus === 'active' ? continuedEntry : failedEntry),
    changed_at: readHistory(after).at(-1)?.changed_at ?? '',
  }
  expect(readHistoryWithoutMessages(after)).toEqual([
    ...readHistoryWithoutMessages(before),
    expectedReviewEntry,
  ])
}

/** Requests that create another payment. */
export type CopyMove = 'resubmit' | 'refund'

const getFlagName = (move: CopyMove) => (move === 'refund' ? 'has_refund' : 'has_resubmit')

/** True if no earlier request of the kind `move` (refund or resubmit) marked the payment. */
export const isFirstOfKind = (payment: ServiceObject, move: CopyMove): boolean =>
  payment[getFlagName(move)] === false

/**
 * Checks the payment after a request that created another payment. The first of each kind also
 * marks this payment. A later one must not change it.
 */
export function expectMarkedForCopy(
  before: ServiceObject,
  after: ServiceObject,
  { move, type, copyId }: { move: CopyMove; type: PaymentStart['type']; copyId: string },
): void {
  const copyLink = {
    id: copyId,
    relationship: move,
    payment_type: move === 'refund' ? 'payout' : type,
  }
  const changedFields = {
    [getFlagName(move)]: true,
    related_payments: [...(before.related_payments as unknown[]), copyLink],
    updated_at: after.updated_at,
  }
  expect(after).toEqual(isFirstOfKind(before, move) ? { ...before, ...changedFields } : before)
}
