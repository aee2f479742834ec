import { expect, test } from 'vitest'
import { nextPath } from './sign-in-frame'

test.each(['/', '/sandbox/payouts?account=acct_1&open=2', '/a//b'])('%j is ours', (path) => expect(nextPath(path)).toBe(path))

test.each([
  undefined,
  '',
  '//elsewhere.example',
  'https://elsewhere.example',
  'javascript:alert(1)',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  ' /sandbox',
  `/${'a'.repeat(3000)}`,
])('%j goes to the start', (path) => expect(nextPath(path)).toBe('/'))

test('a repeated parameter goes to the start', () => expect(nextPath(['/a', '/b'])).toBe('/'))

test('what is ours stays on our host however a browser reads it', () => {
  for (const path of ['/sandbox', '/a//b', '/%09/x', '/@elsewhere.example', '/..//elsewhere.example']) {
    expect(new URL(nextPath(path), 'https://desk.example').host).toBe('desk.example')
  }
})
