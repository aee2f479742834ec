import { expect, test } from 'vitest'
import { toTransferDate } from './funding-event-moves'

// November 20, 2026 is a Friday.
test.each([
  ['on the same day', '2026-11-18T15:00:00Z', 'immediate', '2026-11-18'],
  ['on the next day', '2026-11-18T15:00:00Z', 'one_day', '2026-11-19'],
  ['on Monday after a Friday', '2026-11-20T15:00:00Z', 'next_day', '2026-11-23'],
  ['on Monday when it is made on Saturday', '2026-11-21T15:00:00Z', 'immediate', '2026-11-23'],
  [
    'on Tuesday for two banking days from a Sunday',
    '2026-11-22T15:00:00Z',
    'two_day',
    '2026-11-24',
  ],
  ['a week later for five banking days', '2026-11-18T15:00:00Z', 'five_day', '2026-11-25'],
  [
    'counted from the day in New York, where it is still Thursday',
    '2026-11-20T04:30:00Z',
    'one_day',
    '2026-11-20',
  ],
] as const)('money arrives %s', (_name, at, fundingTime, date) => {
  expect(toTransferDate(Date.parse(at), fundingTime)).toBe(date)
})
