import { expect, test } from 'vitest'
import { foldText, normalizeText } from './text-forms'

test.each([
  ['two blanks', 'Ada  Lovelace', 'Ada Lovelace'],
  ['a no-break space', 'Ada\u00A0Lovelace', 'Ada Lovelace'],
  ['a tab', 'Ada\tLovelace', 'Ada Lovelace'],
  ['blanks around it', ' Ada Lovelace\n', 'Ada Lovelace'],
  ['decomposed accents', 'A\u030Angstro\u0308m', 'Ångström'],
  ['a zero-width space', 'Ada\u200B Lovelace', 'Ada Lovelace'],
  ['a direction mark', '\u202EAda Lovelace', 'Ada Lovelace'],
  ['a curly apostrophe', 'O’Brien', "O'Brien"],
  ['an acute accent as apostrophe', 'O´Brien', "O'Brien"],
  ['curly quotes', 'The “Old” Mill', 'The "Old" Mill'],
  ['a no-break hyphen', 'Smith\u2011Jones', 'Smith-Jones'],
  ['full-width letters', 'Ａｄａ', 'Ada'],
])('a text with %s equals the same text as typed', (_what, stored, typed) => {
  expect(normalizeText(stored)).toBe(normalizeText(typed))
})

test.each([
  ['Ada Lovelace', 'ada lovelace'],
  ['Ada Lovelace', 'AdaLovelace'],
  ['Müller', 'Muller'],
])('“%s” and “%s” stay different', (one, other) => {
  expect(normalizeText(one)).not.toBe(normalizeText(other))
})

test.each([
  ['Müller', 'muller'],
  ['Mu\u0308ller', 'MÜLLER'],
  ['Ångström', 'Angstrom'],
  ["O'Brien", 'O’Brien'],
  ["O'Brien", 'obrien'],
  ['Straße', 'STRASSE'],
  ['Łódź Ørsted', 'lodz orsted'],
  ['İstanbul', 'istanbul'],
  ['ﬁne  Art', 'fine art'],
])('a search for “%s” is the same as for “%s”', (one, other) => {
  expect(foldText(one)).toBe(foldText(other))
})
