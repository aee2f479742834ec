/**
 * A file for tests of the upload check. `make` returns its bytes. `problem` is the id of the
 * problem that the check must find; undefined if the file is valid.
 */
export type SampleFile = { label: string; name: string; make: () => Uint8Array; problem?: string }

export const createGoodSample = (
  name: string,
  label: string,
  make: () => Uint8Array,
): SampleFile => ({
  label,
  name,
  make,
})

export const createBadSample = (
  problem: string,
  name: string,
  label: string,
  make: () => Uint8Array,
): SampleFile => ({
  label,
  name,
  make,
  problem,
})

export const encodeLatin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
export const toBytes = (...values: number[]): Buffer => Buffer.from(values)
export const encodeUint16 = (value: number): Buffer => toBytes(value & 255, (value >>> 8) & 255)
export const encodeUint32 = (value: number): Buffer =>
  Buffer.concat([encodeUint16(value & 0xffff), encodeUint16(value >>> 16)])
export const encodeUint16BigEndian = (value: number): Buffer =>
  Buffer.from(encodeUint16(value)).reverse()
export const encodeUint32BigEndian = (value: number): Buffer =>
  Buffer.from(encodeUint32(value)).reverse()

/** Returns random-looking bytes that are the same in every run. */
export function createNoise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed >>> 0 || 1
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

/** Bytes that begin like a Windows program, but do nothing. */
export const windowsProgramBytes: Buffer = Buffer.concat([
  encodeLatin1('MZ\x90\0\x03\0\0\0This program cannot be run in DOS mode.'),
  Buffer.alloc(200),
])
