import { expect, test } from 'vitest'
import { formatCallError, formatSendAttempts, getCallTone } from './call-details'

test.each([
  [{ attempts: 0, replayed: false }, 'not sent'],
  [{ attempts: 1, replayed: false }, 'once'],
  [{ attempts: 3, replayed: false }, '3 times, under one key'],
  [{ attempts: 2, replayed: true }, '2 times, under one key; an earlier response was repeated'],
  [{ attempts: 0, replayed: true }, 'not sent: an earlier response was repeated'],
])('%j has the text %s', (call, text) => expect(formatSendAttempts(call)).toBe(text))

test.each([
  [null, null, null],
  ['service_refused', null, 'service refused'],
  ['service_refused', 'payout is paid', 'service refused: payout is paid'],
])('%s with %j has the text %j', (error_code, error_detail, text) =>
  expect(formatCallError({ error_code, error_detail })).toBe(text),
)

test.each([
  [200, null, 'good'],
  [202, 'outcome_unknown', 'unknown'],
  [422, 'service_refused', 'held'],
  [502, 'service_failed', 'bad'],
])('%i with %j has the tone %s', (status, error_code, tone) =>
  expect(getCallTone({ status, error_code })).toBe(tone),
)
