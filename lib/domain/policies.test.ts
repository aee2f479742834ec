import { expect, test } from 'vitest'
import { serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'
import { ruleFor, shippedPolicy } from './policies'

const everywhere = { environment: 'production', account: null } as const
const ruled = (operation: (typeof serviceOperationIds)[number], amount: number | 'unreadable') =>
  (ruleFor(shippedPolicy, { ...everywhere, operation, amount })?.second.length ?? 0) > 0

test('the shipped policy asks a second person for all money that goes out, at and above 5,000.00, and where the amount cannot be read', () => {
  const out = serviceOperationIds.filter((id) => serviceOperation(id).money === 'out')
  expect(out).toEqual(expect.arrayContaining(['payouts.create', 'payouts.update', 'payouts.resubmit', 'payouts.release', 'charges.refund']))
  for (const id of [...out, 'charges.release' as const]) {
    expect([id, ruled(id, 499_999), ruled(id, 500_000), ruled(id, 'unreadable')]).toEqual([id, false, true, true])
  }
})
