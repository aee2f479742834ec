/** Matches apostrophes, and the accents and primes that people type in their place. */
const apostrophes = /[\u0060\u00B4\u02B9\u02BB\u02BC\u2018\u2019\u201B\u2032\uFF07]/g

/**
 * Returns the text in the form in which it looks the same on the screen: without invisible
 * characters, and with one form of each blank, apostrophe, quote, dash and accented letter.
 */
export const normalizeText = (text: string): string =>
  text
    // Before NFKC, which decomposes an acute accent into a blank and a mark.
    .replace(apostrophes, "'")
    .normalize('NFKC')
    .replace(/(?!\s)[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\u201C-\u201F\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

/** Letters that Unicode does not decompose into a base letter and a mark. */
const baseLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ı: 'i',
}
const baseLettersPattern = new RegExp(`[${Object.keys(baseLetters).join('')}]`, 'g')

/**
 * Returns the form in which texts are searched: lower case, without accents and apostrophes. Fold
 * both the stored text and the typed one.
 */
export const foldText = (text: string): string =>
  normalizeText(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}|'/gu, '')
    .replace(baseLettersPattern, (letter) => baseLetters[letter] ?? letter)

/** Returns the words of the folded text. A word consists of letters and digits. */
export const toFoldedWords = (text: string): string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
