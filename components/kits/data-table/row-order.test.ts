import { describe, expect, test } from 'vitest'
import { nextFrom, placeOf, stepFrom } from './row-order'

const before = ['a', 'b', 'c', 'd']

describe('a row that is there', () => {
  test('has the rows beside it, and the ends are the ends', () => {
    expect(stepFrom('b', before, before, 1)).toBe('c')
    expect(stepFrom('b', before, before, -1)).toBe('a')
    expect(stepFrom('d', before, before, 1)).toBe('d')
    expect(stepFrom('a', before, before, -1)).toBe('a')
  })
})

describe('a row that has left', () => {
  test('is gone on from where it was', () => {
    const remaining = ['a', 'c', 'd']
    expect(placeOf('b', remaining, before)).toEqual({ at: 1, there: false })
    expect(stepFrom('b', remaining, before, 1)).toBe('c')
    expect(stepFrom('b', remaining, before, -1)).toBe('a')
  })

  test('goes on to what moved up from the next page, and at the end to the last', () => {
    expect(stepFrom('d', ['a', 'b', 'c', 'e'], before, 1)).toBe('e')
    expect(stepFrom('d', ['a', 'b', 'c'], before, 1)).toBe('c')
  })

  test('keeps its place when others left with it, or when it was never among them', () => {
    expect(stepFrom('c', ['a', 'd'], before, 1)).toBe('d')
    expect(stepFrom('a', ['c', 'd'], before, 1)).toBe('c')
    expect(stepFrom('x', ['c', 'd'], before, 1)).toBe('c')
    expect(stepFrom('x', [], before, 1)).toBeUndefined()
  })
})

describe('what comes after a row', () => {
  const none = new Set<string>()

  test('is the rest first, then what was passed over', () => {
    expect(nextFrom('b', before, before, none)).toEqual({ rest: 'c', passed: 'a' })
    expect(nextFrom('d', before, before, none)).toEqual({ rest: undefined, passed: 'a' })
  })

  test('leaves out what was decided, and itself while it is still listed', () => {
    expect(nextFrom('b', before, before, new Set(['c', 'a']))).toEqual({ rest: 'd', passed: undefined })
    expect(nextFrom('a', ['a'], ['a'], none)).toEqual({ rest: undefined, passed: undefined })
  })

  test('begins where the row was once it has left, with what moved up from the next page', () => {
    expect(nextFrom('b', ['a', 'c', 'd', 'e'], before, none)).toEqual({ rest: 'c', passed: 'a' })
    expect(nextFrom('d', ['a', 'b', 'c', 'e'], before, none)).toEqual({ rest: 'e', passed: 'a' })
    expect(nextFrom('a', [], ['a'], none)).toEqual({ rest: undefined, passed: undefined })
  })
})
