import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { DecisionResult } from './decision-result'

afterEach(cleanup)

const paykey = { id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f', status: 'active' } as Paykey

type FailedPaymentsRead = Parameters<typeof DecisionResult>[0]['lost']
const toRelatedRead = (read: Partial<FailedPaymentsRead>): FailedPaymentsRead => ({
  meta: undefined,
  again: () => {},
  ...read,
})
const createUnblockResult = (lost: Partial<FailedPaymentsRead>) => (
  <DecisionResult
    operation="paykeys.unblock"
    paykey={paykey}
    waited={[]}
    waiting={toRelatedRead({ data: [] })}
    lost={toRelatedRead(lost)}
  />
)

test('after an unblock, nothing is said about failed payments while they load or if they could not be read', () => {
  const { rerender } = render(createUnblockResult({}))
  expect(screen.getByText('Loading failed payments…')).toBeTruthy()
  rerender(createUnblockResult({ error: 'the service did not respond' }))
  expect(
    screen.getByText('Failed payments could not be read: the service did not respond'),
  ).toBeTruthy()
  expect(screen.queryByText('No failed payment needs a resubmission.')).toBeNull()
})

test('after an unblock, no failed payment needs a resubmission if none was found', () => {
  render(createUnblockResult({ data: [] }))
  expect(screen.getByText('No failed payment needs a resubmission.')).toBeTruthy()
})
