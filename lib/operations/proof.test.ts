import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authorizationDetails } from './payment-input.schema'

// The test runs at this fixed time. It is Nov 23 in UTC, but still Nov 22 in New York.
beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-23T03:00:00Z') }))
afterEach(() => void vi.useRealTimers())

const validProof = {
  authorized_by: 'Ana Example',
  authorized_on: '2026-11-22',
  method: 'signed_agreement',
  note: 'Seen in the branch',
}

test('keeps person, date, method and an optional note', () => {
  expect(authorizationDetails.parse(validProof)).toEqual(validProof)
  expect(
    authorizationDetails.parse({ ...validProof, authorized_by: ' Ana Example ', note: '  ' }),
  ).toEqual({
    ...validProof,
    note: undefined,
  })
  const { note: _, ...short } = validProof
  expect(authorizationDetails.parse(short)).toEqual(short)
})

test.each([
  ['authorized_by', undefined, 'Enter the name of the person who authorized the payment.'],
  ['authorized_by', '   ', 'Enter the name of the person who authorized the payment.'],
  ['authorized_by', 'x'.repeat(121), 'Must be at most 120 characters.'],
  ['authorized_by', 'Ana\nExample', 'Must be one line of text.'],
  ['authorized_on', undefined, 'Enter the date of the authorization, like 2026-03-31.'],
  ['authorized_on', '', 'Enter the date of the authorization, like 2026-03-31.'],
  ['authorized_on', '2026-02-30', 'Enter the date of the authorization, like 2026-03-31.'],
  [
    'authorized_on',
    '2026-11-23',
    'Must not be in the future: enter the day on which the payment was authorized.',
  ],
  ['authorized_on', '0026-11-22', 'Must not be before 2000-01-01: check the year.'],
  ['method', undefined, 'Choose how the payment was authorized.'],
  ['method', '', 'Choose how the payment was authorized.'],
  ['method', 'spoken', 'Must be one of internet, signed_agreement.'],
  ['note', 'x'.repeat(501), 'Must be at most 500 characters.'],
])('%s that is %j is refused with one message that says what to do', (field, value, message) => {
  const { error } = authorizationDetails.safeParse({ ...validProof, [field]: value })
  expect(error?.issues.map(({ path, message: told }) => [path.join('.'), told])).toEqual([
    [field, message],
  ])
})

test('an unknown field is rejected by name', () => {
  expect(authorizationDetails.safeParse({ ...validProof, iban: '1' }).error?.issues).toMatchObject([
    { code: 'unrecognized_keys', keys: ['iban'] },
  ])
})
