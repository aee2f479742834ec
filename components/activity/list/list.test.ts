import { expect, test } from 'vitest'
import type { LoggedCall } from '@/lib/operations/activity'
import { toCallFieldValues, toCalls } from './list'

const loggedCall: LoggedCall = {
  id: '0190a000-0000-7000-8000-000000000001',
  at: '2026-03-31T17:05:00.123Z',
  operation: 'payouts.get',
  account: null,
  target: null,
  person: 'Dana Admin',
  person_id: '0190a000-0000-7000-8000-000000000002',
  status: 200,
  took_ms: 7,
  attempts: 1,
  replayed: false,
  request_id: 'req_1',
  api_request_id: null,
  action_id: null,
  error_code: null,
  error_detail: null,
}

test('decodes calls from their columns in the original order', () => {
  const calls: [LoggedCall, LoggedCall] = [
    loggedCall,
    { ...loggedCall, id: 'second', status: 422, error_code: 'service_refused' },
  ]
  expect(toCalls(toCallFieldValues(calls))).toEqual(calls)
  expect(toCalls(toCallFieldValues([loggedCall]))).toEqual([loggedCall])
  expect(toCallFieldValues(calls)).toMatchObject({
    person: ['Dana Admin'],
    account: [null],
    status: [200, 422],
  })
})
