import { expect, test } from 'vitest'
import { createIdempotencyKey, shortenIdempotencyKey } from './drafts'

test('a key has the format of the action log, and all keys are unique', () => {
  const idempotencyKeys = Array.from({ length: 200 }, createIdempotencyKey)
  for (const key of idempotencyKeys) expect(key).toMatch(/^[a-z]{3}_[0-9a-f]{32}$/)
  expect(new Set(idempotencyKeys).size).toBe(200)
})

test('a shortened key shows both ends', () => {
  expect(shortenIdempotencyKey('pdk_0123456789abcdef0123456789abcdef')).toBe('pdk_0123…cdef')
})
