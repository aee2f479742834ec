import 'server-only'

const maxWords = 200
const maxWordLength = 100

export const toSearchWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => [...word].slice(0, maxWordLength).join(''))
