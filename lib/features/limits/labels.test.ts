import { expect, test } from 'vitest'
import { composeReason } from '@/lib/domain/reasons'
import { decisionReasonInput } from '@/lib/operations/reason.schema'
import {
  appendIncreaseExplanation,
  findExplanationFault,
  limitReasons,
  listLimitReasons,
} from './labels'

test.each(limitReasons)('the template of $code is a valid reason', ({ code, template }) => {
  expect(decisionReasonInput.safeParse(composeReason(code, template)).success).toBe(true)
})

test('a large increase requires an explanation, and a small one does not', () => {
  expect(findExplanationFault('The account grows.', '', 0)).toBeNull()
  expect(findExplanationFault('The account grows.', 'because', 1)).toContain('more than threefold')
  expect(
    findExplanationFault(
      'The account grows.',
      'A tenth of the payments of a second bank comes over.',
      1,
    ),
  ).toBeNull()
})

test('both texts together are limited to the length of a reason', () => {
  const longExplanation = 'x'.repeat(200)
  expect(findExplanationFault('y'.repeat(100), longExplanation, 1)).toContain('too long')
  const shortReasonText = 'y'.repeat(40)
  expect(findExplanationFault(shortReasonText, longExplanation, 1)).toBeNull()
  expect(
    decisionReasonInput.safeParse(
      composeReason('LIMIT_TOO_WIDE', appendIncreaseExplanation(shortReasonText, longExplanation)),
    ).success,
  ).toBe(true)
})

test.each([
  ['raised', [{ from: 1, to: 2 }], [true, false]],
  ['lowered', [{ from: 2, to: 1 }], [false, true]],
  [
    'raised and lowered',
    [
      { from: 1, to: 2 },
      { from: 2, to: 1 },
    ],
    [true, true],
  ],
  ['set for the first time', [{ from: undefined, to: 1 }], [true, false]],
  ['not entered yet', [], [true, true]],
])('if limits are %s, the reasons fit', (_, changes, offered) => {
  const codes = listLimitReasons(changes).map(({ code }) => code)
  expect([codes.includes('VOLUME_GROWTH'), codes.includes('LIMIT_TOO_WIDE')]).toEqual(offered)
  expect(codes).toContain('CORRECTION')
})
