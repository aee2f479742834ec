import 'server-only'

const mostWords = 200
const longestWord = 100

/** The words of a text as the search compares them: in small letters and without accents; signs divide words. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .map((word) => [...word].slice(0, longestWord).join(''))
