/** An id somebody pasted: a bare UUID can be anything, one with `acct_` is an account. `id` is the lower-cased UUID. */
export type FoundId = { id: string; isAccount: boolean }

/** Reads an id out of what was typed; null where it is none. Spaces and quotes around it come along when copying and are ignored. */
export function idIn(text: string): FoundId | null {
  const match = /^["'\s]*(acct_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})["'\s]*$/i.exec(text)
  return match?.[2] ? { id: match[2].toLowerCase(), isAccount: match[1] !== undefined } : null
}
