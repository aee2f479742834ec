import { expect, test } from 'vitest'
import type { Payment } from '@/lib/domain/payment-kind'
import type { ActionView } from '@/lib/operations/answer'
import { formatHeldBy } from './holder-text'

const payment = {
  status_details: {
    source: 'user_action',
    reason: 'user_request',
    changed_at: '2026-03-31T10:05:00Z',
  },
} as Payment
const createAction = (overrides: Partial<ActionView> = {}) =>
  ({
    operation: 'payouts.hold',
    state: 'applied',
    own: false,
    actor: 'Omar Operator',
    settled_at: '2026-03-31T10:05:01Z',
    ...overrides,
  }) as ActionView

test('a hold by a Paydesk action names its person', () => {
  expect(formatHeldBy(payment, [createAction()])).toBe('Omar Operator')
  expect(formatHeldBy(payment, [createAction({ own: true })])).toBe('you')
})

test.each([
  ['another operation', createAction({ operation: 'payouts.authorize' })],
  ['a rejected hold', createAction({ state: 'refused' })],
  ['an earlier hold', createAction({ settled_at: '2026-03-30T10:05:01Z' })],
])('with %s, a hold names the source of the service', (_, action) => {
  expect(formatHeldBy(payment, [action])).toBe('a user')
})
