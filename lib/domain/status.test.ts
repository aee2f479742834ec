import { describe, expect, test } from 'vitest'
import {
  getDirectionLabel,
  getFundingReasonLabel,
  getFundingTypeLabel,
} from '@/lib/features/funding/labels'
import { assessCustomer } from '@/lib/features/payments/party-checks'
import { paymentStatuses } from '@/lib/operations/enumerations'
import { getAccountReasonText } from './account-labels'
import { findReturnCode, returnCodes } from './return-codes'
import { findOwnValue } from './service-words'
import { describeStatusSource } from './source-text'
import { getStatusWords, isKnownStatus, type StatusKind, type Tone } from './status'

test('every payment status has its own label', () => {
  const statusLabels = paymentStatuses.map((state) => getStatusWords('payment', state).label)
  expect(new Set(statusLabels).size).toBe(paymentStatuses.length)
})

const statusKinds: StatusKind[] = [
  'payment',
  'paykey',
  'customer',
  'account',
  'representative',
  'linked_bank_account',
  'capability_request',
  'funding_event',
]

describe.each(statusKinds)('%s', (kind) => {
  test('a missing status is shown as not readable', () => {
    expect(getStatusWords(kind, '')).toMatchObject({ label: 'Not readable', tone: 'neutral' })
    expect(isKnownStatus(kind, '')).toBe(false)
  })

  test.each(['quarantined', 'constructor', '__proto__'])(
    'an unknown status %j is neutral and keeps its text',
    (status) => {
      expect(getStatusWords(kind, status)).toMatchObject({ label: status, tone: 'neutral' })
      expect(isKnownStatus(kind, status)).toBe(false)
    },
  )
})

test.each<[StatusKind, string, Tone]>([
  ['paykey', 'review', 'review'],
  ['customer', 'rejected', 'bad'],
  ['account', 'active', 'good'],
  ['representative', 'onboarding', 'moving'],
  ['linked_bank_account', 'canceled', 'neutral'],
  ['capability_request', 'in_review', 'review'],
  ['funding_event', 'on_hold', 'held'],
])('a %s that is %s has the tone %s', (kind, status, tone) => {
  expect(getStatusWords(kind, status).tone).toBe(tone)
})

test('a funding event’s status has its own meaning', () => {
  expect(getStatusWords('funding_event', 'paid').meaning).not.toBe(
    getStatusWords('payment', 'paid').meaning,
  )
})

test('unauthorized returns all disallow a resubmission', () => {
  for (const code of ['R05', 'R07', 'R10', 'R11', 'R29', 'R51'])
    expect(findReturnCode(code)?.stop).toBe(true)
})

test('codes have the format R00, and an unknown code is null', () => {
  for (const code of Object.keys(returnCodes)) expect(code).toMatch(/^R\d\d$/)
  expect(findReturnCode('R99')).toBeNull()
  expect(findReturnCode('toString')).toBeNull()
})

describe.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
  'the unknown word %s',
  (word) => {
    test('is found only in a table that contains it', () => {
      expect(findOwnValue({ a: 1 }, word)).toBeUndefined()
      expect(findOwnValue({ [word]: 1 }, word)).toBe(1)
    })

    test.each([
      ['a reason', getAccountReasonText],
      ['a direction', getDirectionLabel],
      ['a reason of a line', getFundingReasonLabel],
      ['a type of a funding event', getFundingTypeLabel],
      ['a source', describeStatusSource],
    ])('is shown as %s like any other unknown word', (_what, textOf) => {
      expect(textOf(word)).toBeTypeOf('string')
    })

    test('is an unknown status', () => {
      expect(assessCustomer({ status: word }).result).toBe('unknown')
      expect(getStatusWords('payment', word)).toMatchObject({
        label: expect.any(String),
        meaning: expect.any(String),
      })
    })
  },
)
