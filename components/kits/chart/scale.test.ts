import { expect, test } from 'vitest'
import { formatPercent, listScaleValues, roundUpToScaleEnd } from './scale'

test.each([
  [0, 0],
  [-5, 0],
  [1, 1],
  [1.2, 1.5],
  [20, 20],
  [21, 30],
  [51, 60],
  [81, 100],
  [999, 1000],
  [1_234_567, 1_500_000],
])('a scale for %d ends at %d', (value, end) => expect(roundUpToScaleEnd(value)).toBe(end))

test('a percentage has at most two decimals', () => {
  expect(formatPercent(100 / 3)).toBe('33.33%')
  expect(formatPercent(0)).toBe('0%')
})

test.each([
  [[120, 90], [40], [150, 0, -40]],
  [[120], [0], [150, 0]],
  [[], [], [0]],
])('a scale for %j up and %j down has the marks %j', (up, down, marks) =>
  expect(listScaleValues(up, down)).toEqual(marks),
)
