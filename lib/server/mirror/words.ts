import 'server-only'

const mostWords = 200
const longestWord = 100

/** Splits a text into search words: lowercase, without accents, split at every other character. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .map((word) => [...word].slice(0, longestWord).join(''))
