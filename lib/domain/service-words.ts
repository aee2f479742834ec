/** Reads only own properties: every object also inherits some, such as `constructor`. */
export const findOwnValue = <T>(
  table: Readonly<Record<string, T>>,
  word: string | null | undefined,
): T | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

const visibleCharacterPattern = /[\p{L}\p{N}\p{P}\p{S}]/u

export const getNameOrDefault = (name: string | undefined, fallbackName: string): string =>
  name !== undefined && visibleCharacterPattern.test(name) ? name : fallbackName
