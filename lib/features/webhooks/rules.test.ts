import { expect, test } from 'vitest'
import { whyNotProcessedAgain } from './rules'

const payload = { id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f' }

test.each(['matched', 'failed', 'ignored'] as const)(
  'a genuine event that is %s can be processed again',
  (state) => {
    expect(whyNotProcessedAgain({ state, verified: true, payload })).toBeNull()
  },
)

test.each([
  ['nobody signed', { state: 'ignored', verified: false, payload }, /^No signature/],
  [
    'has lost its payload',
    { state: 'matched', verified: true, payload: null },
    /^The payload is not stored/,
  ],
  ['is waiting already', { state: 'received', verified: true, payload }, /being processed/],
] as const)('an event that %s cannot be processed again', (_, event, why) => {
  expect(whyNotProcessedAgain(event)).toMatch(why)
})
