/** Returns the table's entry for a word of the service. Reads own properties only: every object also inherits some, like `constructor`. */
export const findEntry = <T>(table: Readonly<Record<string, T>>, word: string | null | undefined): T | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns the name, or `otherwise` if the name is missing or has no visible characters. */
export const nameOrDefault = (name: string | undefined, otherwise: string): string =>
  name !== undefined && visibleCharacter.test(name) ? name : otherwise
