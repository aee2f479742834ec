import { describe, expect, test } from 'vitest'
import {
  compareMetadata,
  findMetadataFault,
  type MetadataLine,
  toMetadata,
  toMetadataLines,
} from './metadata-rules'

const createMetadataLine = (key: string, value: string, id = 'a'): MetadataLine => ({
  id,
  key,
  value,
})

describe('a metadata line', () => {
  test.each([
    [createMetadataLine('', ''), null],
    [createMetadataLine('team', 'north'), null],
    [createMetadataLine('k'.repeat(40), 'v'.repeat(40)), null],
    [createMetadataLine('', 'x'), 'Enter a key, or clear the value.'],
    [createMetadataLine('k'.repeat(41), 'x'), 'the key is 1 characters too long'],
    [createMetadataLine('team', ''), 'Enter a value, or remove the line.'],
    [createMetadataLine('team', 'v'.repeat(43)), 'the value is 3 characters too long'],
  ])('%j', (given, fault) => expect(findMetadataFault(given, [given])).toBe(fault))

  test('is rejected if its key is a duplicate', () => {
    expect(
      findMetadataFault(createMetadataLine('team', 'x', 'a'), [
        createMetadataLine('team', 'x', 'a'),
        createMetadataLine('team', 'y', 'b'),
      ]),
    ).toBe('this key is a duplicate')
  })
})

test('lines convert to a map and back, without empty lines', () => {
  const sampleMetadata = { team: 'north', batch: '7' }
  expect(
    toMetadata([...toMetadataLines(sampleMetadata), createMetadataLine('', '', 'new')]),
  ).toEqual(sampleMetadata)
})

test('a change lists lost keys, because an update replaces the whole map', () => {
  expect(compareMetadata({ a: '1', b: '2', c: '3' }, { a: '1', b: '9', d: '4' })).toEqual({
    lost: ['c'],
    added: ['d'],
    changed: ['b'],
    kept: 1,
  })
})
