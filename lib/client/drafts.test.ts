import { expect, test } from 'vitest'
import { newIdempotencyKey, shortKey } from './drafts'

test('a key has the form the action log takes, and no two are alike', () => {
  const keys = Array.from({ length: 200 }, newIdempotencyKey)
  for (const key of keys) expect(key).toMatch(/^[a-z]{3}_[0-9a-f]{32}$/)
  expect(new Set(keys).size).toBe(200)
})

test('a short key still tells two keys apart by both ends', () => {
  expect(shortKey('pdk_0123456789abcdef0123456789abcdef')).toBe('pdk_0123…cdef')
})
