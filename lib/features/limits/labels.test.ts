import { expect, test } from 'vitest'
import { composeReason } from '@/lib/domain/reasons'
import { reason } from '@/lib/operations/reason.schema'
import { appendJump, findJumpFault, limitReasons } from './labels'

test.each(limitReasons)('the template of $code is a valid reason', ({ code, template }) => {
  expect(reason.safeParse(composeReason(code, template)).success).toBe(true)
})

test('a large increase requires an explanation, and a small one does not', () => {
  expect(findJumpFault('The account grows.', '', 0)).toBeNull()
  expect(findJumpFault('The account grows.', 'because', 1)).toContain('more than threefold')
  expect(findJumpFault('The account grows.', 'A tenth of the payments of a second bank comes over.', 1)).toBeNull()
})

test('both texts together are limited to the length of a reason', () => {
  const jump = 'x'.repeat(200)
  expect(findJumpFault('y'.repeat(100), jump, 1)).toContain('too long')
  const text = 'y'.repeat(40)
  expect(findJumpFault(text, jump, 1)).toBeNull()
  expect(reason.safeParse(composeReason('LIMIT_TOO_WIDE', appendJump(text, jump))).success).toBe(true)
})
