import { describe, expect, test } from 'vitest'
import { returnCode, returnCodes } from './return-codes'
import { isKnownStatus, paymentStates, type StatusKind, statusWords, type Tone } from './status'

test('every payment state has words of its own', () => {
  const labels = paymentStates.map((state) => statusWords('payment', state).label)
  expect(new Set(labels).size).toBe(paymentStates.length)
})

const kinds: StatusKind[] = [
  'payment',
  'paykey',
  'customer',
  'account',
  'representative',
  'linked_bank_account',
  'capability_request',
  'funding_event',
]

describe.each(kinds)('%s', (kind) => {
  test.each(['quarantined', 'constructor', '__proto__', ''])('an unknown state %j is neutral and keeps its text', (status) => {
    expect(statusWords(kind, status)).toMatchObject({ label: status, tone: 'neutral' })
    expect(isKnownStatus(kind, status)).toBe(false)
  })
})

test.each<[StatusKind, string, Tone]>([
  ['paykey', 'review', 'review'],
  ['customer', 'rejected', 'bad'],
  ['account', 'active', 'good'],
  ['representative', 'onboarding', 'moving'],
  ['linked_bank_account', 'canceled', 'neutral'],
  ['capability_request', 'in_review', 'review'],
  ['funding_event', 'on_hold', 'held'],
])('a %s that is %s looks %s', (kind, status, tone) => {
  expect(statusWords(kind, status).tone).toBe(tone)
})

test('a state that means another thing for a funding event has words of its own', () => {
  expect(statusWords('funding_event', 'paid').meaning).not.toBe(statusWords('payment', 'paid').meaning)
})

test('unauthorised returns all say stop', () => {
  for (const code of ['R05', 'R07', 'R10', 'R11', 'R29', 'R51']) expect(returnCode(code)?.stop).toBe(true)
})

test('codes look like codes and an unknown one is null', () => {
  for (const code of Object.keys(returnCodes)) expect(code).toMatch(/^R\d\d$/)
  expect(returnCode('R99')).toBeNull()
  expect(returnCode('toString')).toBeNull()
})
