import { describe, expect, test } from 'vitest'
import { type MetadataLine, metadataChange, metadataFault, metadataLines, toMetadata } from './metadata-rules'

const line = (key: string, value: string, id = 'a'): MetadataLine => ({ id, key, value })

describe('a metadata line', () => {
  test.each([
    [line('', ''), null],
    [line('team', 'north'), null],
    [line('k'.repeat(40), 'v'.repeat(40)), null],
    [line('', 'x'), 'Enter a key, or clear the value.'],
    [line('k'.repeat(41), 'x'), 'the key is 1 characters too long'],
    [line('team', ''), 'Enter a value, or remove the line.'],
    [line('team', 'v'.repeat(43)), 'the value is 3 characters too long'],
  ])('%j', (given, fault) => expect(metadataFault(given, [given])).toBe(fault))

  test('is rejected if its key is a duplicate', () => {
    expect(metadataFault(line('team', 'x', 'a'), [line('team', 'x', 'a'), line('team', 'y', 'b')])).toBe('this key is a duplicate')
  })
})

test('lines convert to a map and back, without empty lines', () => {
  const map = { team: 'north', batch: '7' }
  expect(toMetadata([...metadataLines(map), line('', '', 'new')])).toEqual(map)
})

test('a change lists lost keys, because an update replaces the whole map', () => {
  expect(metadataChange({ a: '1', b: '2', c: '3' }, { a: '1', b: '9', d: '4' })).toEqual({
    lost: ['c'],
    added: ['d'],
    changed: ['b'],
    kept: 1,
  })
})
