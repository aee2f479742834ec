import 'server-only'

const mostWords = 200
const longestWord = 100

/** Returns the search words of a text: lowercase and without accents. Every character except letters and digits separates words. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .map((word) => [...word].slice(0, longestWord).join(''))
