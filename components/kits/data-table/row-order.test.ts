import { describe, expect, test } from 'vitest'
import { findCurrentOrFormerPosition, findNeighbor, findNextAndPassedId } from './row-order'

const previousIds = ['a', 'b', 'c', 'd']

describe('stepping from a row in the list', () => {
  test('moves to the adjacent row and stops at both ends', () => {
    expect(findNeighbor('b', previousIds, previousIds, 1)).toBe('c')
    expect(findNeighbor('b', previousIds, previousIds, -1)).toBe('a')
    expect(findNeighbor('d', previousIds, previousIds, 1)).toBe('d')
    expect(findNeighbor('a', previousIds, previousIds, -1)).toBe('a')
  })
})

describe('stepping from a row that left the list', () => {
  test('continues from its former position', () => {
    const remainingIds = ['a', 'c', 'd']
    expect(findCurrentOrFormerPosition('b', remainingIds, previousIds)).toEqual({
      at: 1,
      there: false,
    })
    expect(findNeighbor('b', remainingIds, previousIds, 1)).toBe('c')
    expect(findNeighbor('b', remainingIds, previousIds, -1)).toBe('a')
  })

  test('moves to the row that took its position, or to the last row at the end', () => {
    expect(findNeighbor('d', ['a', 'b', 'c', 'e'], previousIds, 1)).toBe('e')
    expect(findNeighbor('d', ['a', 'b', 'c'], previousIds, 1)).toBe('c')
  })

  test('finds the position if neighbors left too, and starts at the top for an unknown row', () => {
    expect(findNeighbor('c', ['a', 'd'], previousIds, 1)).toBe('d')
    expect(findNeighbor('a', ['c', 'd'], previousIds, 1)).toBe('c')
    expect(findNeighbor('x', ['c', 'd'], previousIds, 1)).toBe('c')
    expect(findNeighbor('x', [], previousIds, 1)).toBeUndefined()
  })
})

describe('the next row after a decision', () => {
  const noSkippedIds = new Set<string>()

  test('comes from the rows below, then from the skipped rows above', () => {
    expect(findNextAndPassedId('b', previousIds, previousIds, noSkippedIds)).toEqual({
      rest: 'c',
      passed: 'a',
    })
    expect(findNextAndPassedId('d', previousIds, previousIds, noSkippedIds)).toEqual({
      rest: undefined,
      passed: 'a',
    })
  })

  test('is never a decided row or the current row', () => {
    expect(findNextAndPassedId('b', previousIds, previousIds, new Set(['c', 'a']))).toEqual({
      rest: 'd',
      passed: undefined,
    })
    expect(findNextAndPassedId('a', ['a'], ['a'], noSkippedIds)).toEqual({
      rest: undefined,
      passed: undefined,
    })
  })

  test('of a row that left the list is the row at its former position', () => {
    expect(findNextAndPassedId('b', ['a', 'c', 'd', 'e'], previousIds, noSkippedIds)).toEqual({
      rest: 'c',
      passed: 'a',
    })
    expect(findNextAndPassedId('d', ['a', 'b', 'c', 'e'], previousIds, noSkippedIds)).toEqual({
      rest: 'e',
      passed: 'a',
    })
    expect(findNextAndPassedId('a', [], ['a'], noSkippedIds)).toEqual({
      rest: undefined,
      passed: undefined,
    })
  })
})
