import { randomBytes } from 'node:crypto'

let last = { at: 0, sequence: 0 }

/**
 * Returns a new UUID in version 7 layout. Ids created in the same millisecond count upward in the 12 bits after the version, so they are in
 * order of creation. `at` is milliseconds on the sandbox's clock.
 */
export function newId(at: number): string {
  const random = randomBytes(10)
  const sequence = at === last.at ? Math.min(last.sequence + 1, 0xfff) : random.readUInt16BE(8) & 0x7ff
  last = { at, sequence }
  const time = Math.floor(at).toString(16).padStart(12, '0')
  const tail = random.toString('hex', 0, 8)
  const variant = '89ab'[(random[0] ?? 0) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`
}

/** Returns the leading 48 bits of a version 7 UUID: milliseconds. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Matches any UUID, lower or upper case: the format of all identifiers of the service. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
