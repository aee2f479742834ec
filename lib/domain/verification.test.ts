import { expect, test } from 'vitest'
import { getCorrelationWords, toScoreWords } from './verification'

test.each([
  [1, 'exact', '1.00'],
  [0.999, 'high', '0.99'],
  [0.81, 'high', '0.81'],
  [0.8, 'medium', '0.80'],
  [0.29, 'medium', '0.29'],
  [0.2, 'medium', '0.20'],
  [0.19, 'low', '0.19'],
  [0, 'low', '0.00'],
])('%s is %s', (score, bucket, text) => {
  expect(toScoreWords(score)).toMatchObject({ bucket, text, position: score })
})

test.each([undefined, Number.NaN, -0.1, 1.01, 87, Number.POSITIVE_INFINITY])(
  '%s is not a score',
  (score) => {
    expect(toScoreWords(score)).toBeNull()
  },
)

test('an unknown correlation keeps its text', () => {
  expect(getCorrelationWords('likely_match').tone).toBe('good')
  expect(getCorrelationWords('certain')).toEqual({ label: 'certain', tone: 'neutral' })
})
