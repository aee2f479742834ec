import { describe, expect, test } from 'vitest'
import { roles } from '@/lib/operations/define'
import { canProcessQueue, formatWaitingRoles, type QueueId, queueIds } from './labels'
import { findColumnSplit, type QueueGroup, type QueueReadResult, summarizeQueues } from './queues'

const createQueueReadResult = (
  id: QueueId,
  groupOverrides: Partial<QueueGroup> = {},
): QueueReadResult => ({
  ok: true,
  group: {
    id,
    total: 1,
    atLeast: false,
    rows: [],
    oldest: '2026-11-20T12:00:00Z',
    href: '',
    readAt: '',
    ...groupOverrides,
  },
})
const failedReadResult: QueueReadResult = {
  ok: false,
  requestId: 'req_1',
  error: {
    code: 'service_failed',
    status: 502,
    title: 'The payments service gave no valid answer',
    detail: '',
  },
}

describe('the role of a queue', () => {
  test('a viewer has no queues', () => {
    expect(queueIds.filter((id) => canProcessQueue(id, ['viewer']))).toEqual([])
    expect(queueIds.filter((id) => canProcessQueue(id, []))).toEqual([])
  })
  test('an operator and a reviewer have the queues they may decide', () => {
    expect(queueIds.filter((id) => canProcessQueue(id, ['operator']))).toEqual([
      'outcomes',
      'approvals',
      'payouts_held',
      'charges_held',
      'returned',
      'accounts_created',
    ])
    expect(queueIds.filter((id) => canProcessQueue(id, ['reviewer']))).toEqual([
      'outcomes',
      'approvals',
      'paykeys_review',
      'customers_review',
      'paykeys_unblockable',
    ])
  })
  test('an admin has both sets of queues, and no role has the provider’s queues', () => {
    const combinedQueues = queueIds.filter((id) => canProcessQueue(id, ['operator', 'reviewer']))
    expect(queueIds.filter((id) => canProcessQueue(id, ['admin']))).toEqual(combinedQueues)
    expect(queueIds.filter((id) => !canProcessQueue(id, roles))).toEqual([
      'capability_requests',
      'accounts_onboarding',
    ])
  })
  test('a queue names the roles it waits for', () => {
    expect(formatWaitingRoles('payouts_held')).toBe('an operator or an admin')
    expect(formatWaitingRoles('paykeys_review')).toBe('a reviewer or an admin')
    expect(formatWaitingRoles('capability_requests')).toBe('the provider’s compliance')
  })
})

describe('the summary of the home page', () => {
  const queueReadResults = {
    payouts_held: createQueueReadResult('payouts_held', {
      total: 24,
      oldest: '2026-11-15T12:00:00Z',
    }),
    paykeys_review: createQueueReadResult('paykeys_review', {
      total: 3,
      oldest: '2026-11-10T12:00:00+01:00',
    }),
    customers_review: createQueueReadResult('customers_review', { total: 0, oldest: null }),
  }
  test('counts the records that wait for the person, with the oldest time', () => {
    expect(summarizeQueues(queueReadResults, ['operator'])).toEqual({
      mine: 24,
      others: 3,
      oldest: '2026-11-15T12:00:00Z',
      atLeast: false,
      missing: [],
    })
    expect(summarizeQueues(queueReadResults, ['reviewer'])).toMatchObject({
      mine: 3,
      others: 24,
      oldest: '2026-11-10T12:00:00+01:00',
    })
  })
  test('shows the oldest of all records to a viewer', () => {
    expect(summarizeQueues(queueReadResults, ['viewer'])).toMatchObject({
      mine: 0,
      others: 27,
      oldest: '2026-11-10T12:00:00+01:00',
    })
  })
  test('lists unreadable queues and does not count them as empty', () => {
    expect(
      summarizeQueues({ ...queueReadResults, customers_review: failedReadResult }, ['admin'])
        .missing,
    ).toEqual(['customers_review'])
    expect(
      summarizeQueues({ payouts_held: createQueueReadResult('payouts_held', { atLeast: true }) }, [
        'admin',
      ]).atLeast,
    ).toBe(true)
  })
  test('is zero without any queues', () => {
    expect(summarizeQueues({}, ['admin'])).toEqual({
      mine: 0,
      others: 0,
      oldest: null,
      atLeast: false,
      missing: [],
    })
  })
})

describe('the two columns', () => {
  test.each([
    [[], 0],
    [[5], 1],
    [[5, 5], 1],
    [[5, 1, 1, 1], 1],
    [[1, 1, 1, 5], 3],
    [[5, 3, 5, 4, 5], 3],
  ])('of the row counts %j split after %d', (rows, at) => expect(findColumnSplit(rows)).toBe(at))
})
