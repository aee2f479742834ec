import { randomBytes } from 'node:crypto'

let last = { at: 0, sequence: 0 }

/**
 * A fresh UUID in version 7 layout. Ids made within one millisecond count upward in the 12 bits after the version, so their
 * order is the order of their making. `at` is milliseconds on the sandbox's clock.
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

/** The 48 leading bits of a version 7 UUID: milliseconds. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Any UUID, lower or upper case: the shape of every identifier of the service. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
