import { expect, test } from 'vitest'
import { getCommonPasswords, isCommonPassword } from './common-passwords'
import { findPasswordFault } from './passwords'

test('the list has at least 3,000 entries in lower case', () => {
  const commonPasswords = [...getCommonPasswords()]
  expect(commonPasswords.length).toBeGreaterThanOrEqual(3000)
  expect(commonPasswords.filter((entry) => entry !== entry.toLowerCase())).toEqual([])
})

test.each([
  'qwertyuiop123',
  'QWERTYUIOP123',
  'passwordpassword',
  'Password2024!',
  '!!!Sunshine!!!2025',
  'P@ssw0rd123456',
  'football-football',
  '123456789012',
  'abc123abc123',
  '1sunshine2345',
  'S u n s h i n e 1 2',
])('%s counts as common', (password) => {
  expect(password.length).toBeGreaterThanOrEqual(11)
  expect(isCommonPassword(password)).toBe(true)
})

test.each(['marble tractor violin 7', 'gA7#kk2!pQz9', 'paydesk-demo', 'kettle-orbit-plum'])(
  '%s is not common',
  (password) => {
    expect(isCommonPassword(password)).toBe(false)
    expect(findPasswordFault(password)).toBeNull()
  },
)

test('a common one is refused by name, after its length', () => {
  expect(findPasswordFault('Password2024!')).toBe(
    'This password is among those attackers guess first. Choose another.',
  )
  expect(findPasswordFault('Password1')).toBe('Must be at least 12 characters.')
  expect(findPasswordFault('kettle-orbit-plum'.repeat(8))).toBe('Must be at most 128 characters.')
})
