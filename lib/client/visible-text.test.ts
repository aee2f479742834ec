import { describe, expect, test } from 'vitest'
import { replaceHiddenCharacters, splitAtHiddenCharacters } from './visible-text'

const hiddenCodePoints = [
  ...['202A', '202B', '202C', '202D', '202E', '2066', '2067', '2068', '2069', '061C'],
  ...[
    '200B',
    '200C',
    '200D',
    '200E',
    '200F',
    '2060',
    'FEFF',
    '00AD',
    '3164',
    '0000',
    '001B',
    'E0041',
  ],
]

test.each(hiddenCodePoints)('U+%s is replaced by its code point', (code) => {
  const hiddenCharacter = String.fromCodePoint(Number.parseInt(code, 16))
  const visibleText = replaceHiddenCharacters(`Ron${hiddenCharacter}nhoJ`)
  expect(visibleText).toBe(`Ron[U+${code}]nhoJ`)
  expect(visibleText).not.toContain(hiddenCharacter)
})

test('pieces mark hidden characters', () => {
  expect(splitAtHiddenCharacters('\u202eA\u2066')).toEqual([
    { hidden: 'U+202E' },
    { text: 'A' },
    { hidden: 'U+2066' },
  ])
  expect(splitAtHiddenCharacters('')).toEqual([{ text: '' }])
})

describe('ordinary text stays unchanged', () => {
  test.each([
    ['Hebrew', 'רון שמואלי'],
    ['Arabic', 'رون صموئيل'],
    ['Persian with a joiner', 'علی\u200cرضا'],
    ['Sinhala with a joiner', 'ශ්\u200dරී'],
    ['a family as one emoji', '👩\u200d👩\u200d👧'],
    ['an emoji with a skin', '👩🏽\u200d🚀'],
    ['accents', 'Renée D’Ångström-Núñez'],
    ['Chinese', '王小明'],
    ['lines and tabs', 'one\n\ttwo'],
  ])('%s', (_, text) => {
    expect(replaceHiddenCharacters(text)).toBe(text)
    expect(splitAtHiddenCharacters(text)).toEqual([{ text }])
  })
})

test('a joiner without a joining context is shown as its code point', () => {
  expect(replaceHiddenCharacters('Ron\u200dSam')).toBe('Ron[U+200D]Sam')
  expect(replaceHiddenCharacters('علی\u200c')).toBe('علی[U+200C]')
})
