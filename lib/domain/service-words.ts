/**
 * What a table says of a word of the service; undefined for one it does not have. The words are the service's to choose, and some are names that
 * every object has: `constructor` would be found in any table that is asked plainly.
 */
export const inTable = <T>(table: Readonly<Record<string, T>>, word: string | null | undefined): T | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** A name as it is, or other words where there is none that could be seen: one that is missing, empty, or could not be read. */
export const namedOr = (name: string | undefined, otherwise: string): string =>
  name !== undefined && visible.test(name) ? name : otherwise
