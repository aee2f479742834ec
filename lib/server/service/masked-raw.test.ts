import canonicalize from 'canonicalize'
import { expect, test } from 'vitest'
import { cutText } from './masked-raw'
import { parseJson } from './read-tolerantly'

test.each([
  ['"a\\u0000b"', 'a\uFFFDb'],
  ['"half \\uD83D of a pair"', 'half \uFFFD of a pair'],
  ['"the other half \\ude00"', 'the other half \uFFFD'],
  ['"a pair \\uD83D\\uDE00"', 'a pair 😀'],
  ['"no escape: \\\\u0000"', 'no escape: \\u0000'],
  [
    '{"me\\u0000ta":{"\\ud800":["\\udfff",1,null,true]}}',
    { 'me\uFFFDta': { '\uFFFD': ['\uFFFD', 1, null, true] } },
  ],
  ['{"__proto__":"\\u0000"}', JSON.parse('{"__proto__":"\uFFFD"}')],
])('%s is parsed to a value that can be stored', (text, value) => {
  const parsedValue = parseJson(text)
  expect(JSON.stringify(parsedValue)).toBe(JSON.stringify(value))
  expect(canonicalize(parsedValue)).toBeTypeOf('string')
})

test('a text is cut between whole characters', () => {
  expect([cutText('a😀', 1), cutText('a😀', 2), cutText('a😀', 3), cutText('a', 9)]).toEqual([
    'a',
    'a',
    'a😀',
    'a',
  ])
})

test('invalid JSON throws', () => {
  for (const text of ['', '<html>', '{"a":1', '"\\u00"'])
    expect(() => parseJson(text)).toThrow(SyntaxError)
})
