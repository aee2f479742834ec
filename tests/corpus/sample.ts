/**
 * A file for tests of the upload check. `make` returns its bytes. `problem` is the id of the
 * problem that the check must find; undefined if the file is valid.
 */
export type SampleFile = { label: string; name: string; make: () => Uint8Array; problem?: string }

export const goodSample = (name: string, label: string, make: () => Uint8Array): SampleFile => ({
  label,
  name,
  make,
})

export const badSample = (
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
export const u16 = (value: number): Buffer => toBytes(value & 255, (value >>> 8) & 255)
export const u32 = (value: number): Buffer =>
  Buffer.concat([u16(value & 0xffff), u16(value >>> 16)])
export const u16be = (value: number): Buffer => Buffer.from(u16(value)).reverse()
export const u32be = (value: number): Buffer => Buffer.from(u32(value)).reverse()

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
