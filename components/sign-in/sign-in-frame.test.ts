import { expect, test } from 'vitest'
import { parseNextPath } from './sign-in-frame'

test.each(['/', '/sandbox/payouts?account=acct_1&open=2', '/a//b'])('%j is an own path', (path) =>
  expect(parseNextPath(path)).toBe(path),
)

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
])('%j falls back to the start page', (path) => expect(parseNextPath(path)).toBe('/'))

test('a repeated parameter falls back to the start page', () =>
  expect(parseNextPath(['/a', '/b'])).toBe('/'))

test('an own path stays on the same host when a browser resolves it', () => {
  for (const path of [
    '/sandbox',
    '/a//b',
    '/%09/x',
    '/@elsewhere.example',
    '/..//elsewhere.example',
  ]) {
    expect(new URL(parseNextPath(path), 'https://desk.example').host).toBe('desk.example')
  }
})
