/** Looks up a word of the service; undefined if missing. Checks own properties only: plain access would find `constructor` in any table. */
export const inTable = <T>(table: Readonly<Record<string, T>>, word: string | null | undefined): T | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The name, or `otherwise` if it is missing or has no visible characters. */
export const namedOr = (name: string | undefined, otherwise: string): string =>
  name !== undefined && visible.test(name) ? name : otherwise
