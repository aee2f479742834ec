import { type ParsedId, parseId, trimCopied } from '@/lib/domain/pasted-ids'
import { parseCents } from '@/lib/money'

/**
 * A search term by its kind. `digits`: the last four digits of a bank account number. `key`: one
 * word, such as an external id, a trace number, a request id, an idempotency key or a name.
 * `words`: several words.
 */
export type SearchTerm =
  | ({ kind: 'id' } & ParsedId)
  | { kind: 'email' | 'amount' | 'digits' | 'key' | 'words'; text: string }

/**
 * Minimum length of a search term. A shorter term matches too many records to justify its requests,
 * which count toward the service's rate limit.
 */
const minTermLength = 4

/** All searches accept terms of this length. */
export const maxTermLength = 100

/** A bare number is more often a part of a reference than an amount. */
const isAmount = (text: string): boolean => /[$.,]/.test(text) && parseCents(text) !== null

/**
 * Returns the search term in a text, or null if the text is too short or an incomplete email
 * address.
 */
export function parseTerm(typed: string): SearchTerm | null {
  const id = parseId(typed)
  if (id) return { kind: 'id', ...id }
  const trimmedText = trimCopied(typed).slice(0, maxTermLength)
  if (/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(trimmedText)) return { kind: 'email', text: trimmedText }
  if (/^\d{4}$/.test(trimmedText)) return { kind: 'digits', text: trimmedText }
  if (isAmount(trimmedText)) return { kind: 'amount', text: trimmedText }
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
