/**
 * An id that was typed or pasted, in lower case. A bare UUID can belong to any record. With the
 * prefix `acct_` it is the id of an account.
 */
type ParsedId = { id: string; isAccount: boolean }

/**
 * Returns the id that a text consists of, or null. Spaces and quotes around the id are ignored,
 * because copying often adds them.
 */
export function parseId(text: string): ParsedId | null {
  const match = /^["'\s]*(acct_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})["'\s]*$/i.exec(text)
  return match?.[2] ? { id: match[2].toLowerCase(), isAccount: match[1] !== undefined } : null
}

/**
 * A search term by its kind. `digits`: the last four digits of a bank account number. `key`: one
 * word, such as an external id, a request id, an idempotency key or a name. `words`: several words.
 */
export type SearchTerm =
  | ({ kind: 'id' } & ParsedId)
  | { kind: 'email' | 'digits' | 'key' | 'words'; text: string }

/**
 * Minimum length of a search term. A shorter term matches too many records to justify its requests,
 * which count toward the service's rate limit.
 */
const minTermLength = 4

/** All searches accept terms of this length. */
export const maxTermLength = 100

/**
 * Returns the search term in a text, or null if the text is too short or an incomplete email
 * address. Spaces and quotes around the term are ignored, because copying often adds them.
 */
export function parseTerm(typed: string): SearchTerm | null {
  const id = parseId(typed)
  if (id) return { kind: 'id', ...id }
  const trimmedText = typed.replace(/^["'\s]+|["'\s]+$/g, '').slice(0, maxTermLength)
  if (/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(trimmedText)) return { kind: 'email', text: trimmedText }
  if (/^\d{4}$/.test(trimmedText)) return { kind: 'digits', text: trimmedText }
  // An incomplete email address is not searched. It matches no customer, and the other searches
  // would put it into a URL, which may be logged.
  if (trimmedText.length < minTermLength || trimmedText.includes('@')) return null
  return { kind: /\s/.test(trimmedText) ? 'words' : 'key', text: trimmedText }
}

/**
 * True if the person probably pasted the term. Such a term is searched at once. Any other term
 * waits for a pause in typing.
 */
export const isPasted = ({ kind }: SearchTerm): boolean => kind === 'id' || kind === 'digits'
