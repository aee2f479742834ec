import { normalizeText } from './text-forms'

/**
 * An id that was typed or pasted, in lower case. A bare UUID can belong to any record. With the
 * prefix `acct_` it is the id of an account.
 */
export type ParsedId = { id: string; isAccount: boolean }

const idPattern = /^(acct_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

function matchId(text: string): ParsedId | null {
  const match = idPattern.exec(text)
  return match?.[2] ? { id: match[2].toLowerCase(), isAccount: match[1] !== undefined } : null
}

/** The id of the row that the URL opens beside a list, or else the last id in its path. */
function parseRecordUrl(text: string): ParsedId | null {
  if (!text.includes('/') || !URL.canParse(text, 'http://desk')) return null
  const { pathname, searchParams } = new URL(text, 'http://desk')
  const candidates = [searchParams.get('open') ?? '', ...pathname.split('/').reverse()]
  return candidates.map(matchId).find((found) => found !== null) ?? null
}

/** Removes spaces, quotes, brackets and commas around a text, which copying often adds. */
export const trimCopied = (text: string): string =>
  text.replace(/^[\s"'“”‘’«»`([{<,;]+|[\s"'“”‘’«»`)\]}>,;]+$/g, '')

/**
 * Returns the id that a text consists of, also as the URL of a record, or null. Spaces, quotes,
 * brackets and commas around the id are ignored, because copying often adds them.
 */
export function parseId(text: string): ParsedId | null {
  const trimmedText = normalizeText(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  return matchId(trimmedText) ?? parseRecordUrl(trimmedText)
}
