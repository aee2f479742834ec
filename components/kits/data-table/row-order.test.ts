import { describe, expect, test } from 'vitest'
import { findNeighbor, findNextIds, findPosition } from './row-order'

const before = ['a', 'b', 'c', 'd']

describe('stepping from a row in the list', () => {
  test('moves to the adjacent row and stops at both ends', () => {
    expect(findNeighbor('b', before, before, 1)).toBe('c')
    expect(findNeighbor('b', before, before, -1)).toBe('a')
    expect(findNeighbor('d', before, before, 1)).toBe('d')
    expect(findNeighbor('a', before, before, -1)).toBe('a')
  })
})

describe('stepping from a row that left the list', () => {
  test('continues from its former position', () => {
    const remaining = ['a', 'c', 'd']
    expect(findPosition('b', remaining, before)).toEqual({ at: 1, there: false })
    expect(findNeighbor('b', remaining, before, 1)).toBe('c')
    expect(findNeighbor('b', remaining, before, -1)).toBe('a')
  })

  test('moves to the row that took its position, or to the last row at the end', () => {
    expect(findNeighbor('d', ['a', 'b', 'c', 'e'], before, 1)).toBe('e')
    expect(findNeighbor('d', ['a', 'b', 'c'], before, 1)).toBe('c')
  })

  test('finds the position if neighbors left too, and starts at the top for an unknown row', () => {
    expect(findNeighbor('c', ['a', 'd'], before, 1)).toBe('d')
    expect(findNeighbor('a', ['c', 'd'], before, 1)).toBe('c')
    expect(findNeighbor('x', ['c', 'd'], before, 1)).toBe('c')
    expect(findNeighbor('x', [], before, 1)).toBeUndefined()
  })
})

describe('the next row after a decision', () => {
  const none = new Set<string>()

  test('comes from the rows below, then from the skipped rows above', () => {
    expect(findNextIds('b', before, before, none)).toEqual({ rest: 'c', passed: 'a' })
    expect(findNextIds('d', before, before, none)).toEqual({ rest: undefined, passed: 'a' })
  })

  test('is never a decided row or the current row', () => {
    expect(findNextIds('b', before, before, new Set(['c', 'a']))).toEqual({ rest: 'd', passed: undefined })
    expect(findNextIds('a', ['a'], ['a'], none)).toEqual({ rest: undefined, passed: undefined })
  })

  test('of a row that left the list is the row at its former position', () => {
    expect(findNextIds('b', ['a', 'c', 'd', 'e'], before, none)).toEqual({ rest: 'c', passed: 'a' })
    expect(findNextIds('d', ['a', 'b', 'c', 'e'], before, none)).toEqual({ rest: 'e', passed: 'a' })
    expect(findNextIds('a', [], ['a'], none)).toEqual({ rest: undefined, passed: undefined })
  })
})
