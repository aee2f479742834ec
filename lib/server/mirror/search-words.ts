import 'server-only'
import { normalizeText, toFoldedWords } from '@/lib/domain/text-forms'

const maxWords = 200
const maxWordLength = 100

const cutWords = (words: readonly string[]): string[] =>
  words.slice(0, maxWords).map((word) => [...word].slice(0, maxWordLength).join(''))

/** The words of a typed text. */
export const toQueryWords = (text: string): string[] => cutWords(toFoldedWords(text))

/** The words of a stored text. `O'Brien` has three: a search finds it by `obrien` and `brien`. */
export const toSearchWords = (text: string): string[] =>
  cutWords([
    ...new Set([
      ...toFoldedWords(text),
      ...toFoldedWords(normalizeText(text).replaceAll("'", ' ')),
    ]),
  ])

/**
 * The word under which a payment is found by a trace number. It matches the whole number only,
 * because all numbers of a bank begin with the same digits.
 */
export const toTraceWord = (traceNumber: string): string =>
  `trace/${traceNumber
    .toLowerCase()
    .replace(/[^\w-]/g, '')
    .slice(0, maxWordLength)}`
