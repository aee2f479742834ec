/**
 * The most keys, and the most characters of a key or value (interface document, "Limits"). The
 * document states two lengths; the provider enforces the shorter one.
 */
export const metadataBounds = { keys: 20, length: 40 } as const

/** `id` stays the same while the person types. */
export type MetadataLine = { id: string; key: string; value: string }

export function findMetadataFault(
  line: MetadataLine,
  formLines: readonly MetadataLine[],
): string | null {
  if (line.key === '' && line.value === '') return null
  if (line.key === '') return 'Enter a key, or clear the value.'
  if (line.key.length > metadataBounds.length)
    return `the key is ${line.key.length - metadataBounds.length} characters too long`
  if (line.value === '') return 'Enter a value, or remove the line.'
  if (line.value.length > metadataBounds.length)
    return `the value is ${line.value.length - metadataBounds.length} characters too long`
  return formLines.some((other) => other.id !== line.id && other.key === line.key)
    ? 'this key is a duplicate'
    : null
}

export const listMetadataFaults = ({
  metadata,
}: {
  metadata: readonly MetadataLine[]
}): Record<string, string> =>
  metadata.some((line) => findMetadataFault(line, metadata) !== null)
    ? { metadata: 'fix the marked fields' }
    : {}

export const toMetadata = (lines: readonly MetadataLine[]): Record<string, string> =>
  Object.fromEntries(lines.filter((line) => line.key !== '').map((line) => [line.key, line.value]))

export const toMetadataLines = (metadata: Readonly<Record<string, string>>): MetadataLine[] =>
  Object.entries(metadata).map(([key, value], at) => ({ id: `kept-${at}`, key, value }))

/** The service replaces the whole map, so removed keys (`lost`) are permanently lost. */
export function compareMetadata(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
) {
  const removedKeys = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const addedKeys = Object.keys(after).filter((key) => !Object.hasOwn(before, key))
  const changedKeys = Object.keys(after).filter(
    (key) => Object.hasOwn(before, key) && before[key] !== after[key],
  )
  return {
    lost: removedKeys,
    added: addedKeys,
    changed: changedKeys,
    kept: Object.keys(after).length - addedKeys.length - changedKeys.length,
  }
}
