import { type FoundId, idIn } from './id-in'

/**
 * What somebody typed to look for. `key` is one word: an external id, a request id, an idempotency key, or a name. `digits` are the last four of
 * a bank account.
 */
export type Asked = ({ kind: 'id' } & FoundId) | { kind: 'email' | 'digits' | 'key' | 'words'; text: string }

/** Shorter texts match too much to be worth a call on the shared rate budget. */
const shortest = 4

/** The longest text any of the searches takes. */
export const longest = 100

/** Reads what is looked for out of a typed or pasted text; null where it is too short. Spaces and quotes around it come along when copying. */
export function askedIn(typed: string): Asked | null {
  const id = idIn(typed)
  if (id) return { kind: 'id', ...id }
  const text = typed.replace(/^["'\s]+|["'\s]+$/g, '').slice(0, longest)
  if (/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text)) return { kind: 'email', text }
  if (/^\d{4}$/.test(text)) return { kind: 'digits', text }
  // Half an address finds nobody, and is nobody else's business meanwhile.
  if (text.length < shortest || text.includes('@')) return null
  return { kind: /\s/.test(text) ? 'words' : 'key', text }
}

/** Whether a text was most likely pasted whole: such a one is looked up at once, the others when the typing pauses. */
export const isWhole = ({ kind }: Asked): boolean => kind === 'id' || kind === 'digits'
