import { expect, test } from 'vitest'
import type { DeletionView } from '@/lib/operations/deletion'
import { toDeletionRow } from './list'

const deletionView: DeletionView = {
  id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  environment: 'sandbox',
  account: 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  customer_id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e50',
  state: 'requested',
  asker: 'REGULATOR_ORDER',
  basis: 'COURT_ORDER',
  identity_check: 'AUTHORITY_CONFIRMED',
  ticket: null,
  due_on: '2026-03-31',
  requested_by: 'Rhea Reviewer',
  own: false,
  created_at: '2026-03-01T10:00:00Z',
  executed_by: null,
  executed_at: null,
  certificate_hash: null,
}

test.each([
  ['requested', '2026-03-31', false],
  ['requested', '2026-04-01', true],
  ['executed', '2026-04-01', false],
  ['withdrawn', '2026-04-01', false],
] as const)('a request that is %s is late on %s: %s', (state, today, late) => {
  expect(toDeletionRow({ ...deletionView, state }, null, today).late).toBe(late)
})

test('a request without a due date is never late, and codes appear as text', () => {
  expect(
    toDeletionRow({ ...deletionView, due_on: null, own: true }, 'Ada', '2099-01-01'),
  ).toMatchObject({
    late: false,
    by: 'Rhea Reviewer',
    own: true,
    asker: 'A regulator or a court',
    basis: 'Court or government order',
  })
})
