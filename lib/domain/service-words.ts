/**
 * Returns the entry of a table for a word that the service sent, or undefined. Reads only own
 * properties, because every object also inherits some, such as `constructor`.
 */
export const findEntry = <T>(
  table: Readonly<Record<string, T>>,
  word: string | null | undefined,
): T | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

const visibleCharacterPattern = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Returns the name, or the fallback if the name is missing or has no visible characters. */
export const getNameOrDefault = (name: string | undefined, fallbackName: string): string =>
  name !== undefined && visibleCharacterPattern.test(name) ? name : fallbackName
