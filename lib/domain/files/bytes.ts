export const toAsciiBytes = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0))

export function hasPatternAt(bytes: Uint8Array, pattern: Uint8Array, at: number): boolean {
  for (let offset = 0; offset < pattern.length; offset += 1)
    if (bytes[at + offset] !== pattern[offset]) return false
  return true
}

export function findBytes(
  bytes: Uint8Array,
  pattern: Uint8Array,
  from = 0,
  to = bytes.length,
): number {
  const firstByte = pattern[0] ?? 0
  for (
    let at = bytes.indexOf(firstByte, from);
    at !== -1 && at + pattern.length <= to;
    at = bytes.indexOf(firstByte, at + 1)
  ) {
    if (hasPatternAt(bytes, pattern, at)) return at
  }
  return -1
}

export function findLastBytes(bytes: Uint8Array, pattern: Uint8Array, from = 0): number {
  const firstPatternByte = pattern[0] ?? 0
  for (
    let at = bytes.lastIndexOf(firstPatternByte);
    at >= from && at !== -1;
    at = at === 0 ? -1 : bytes.lastIndexOf(firstPatternByte, at - 1)
  ) {
    if (hasPatternAt(bytes, pattern, at)) return at
  }
  return -1
}

const latin1Decoder = new TextDecoder('latin1')

export function decodeLatin1(bytes: Uint8Array, from = 0, to = bytes.length): string {
  return latin1Decoder.decode(bytes.subarray(Math.max(0, from), to))
}

/** A read out of range throws `RangeError`, which the file check reports as a damaged file. */
export const toDataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crcValue = byte
  for (let bit = 0; bit < 8; bit += 1)
    crcValue = crcValue & 1 ? (crcValue >>> 1) ^ 0xedb88320 : crcValue >>> 1
  return crcValue
})

/** `previousCrc` is the CRC of the preceding bytes. */
export function computeCrc32(bytes: Uint8Array, previousCrc = 0): number {
  let invertedCrc = ~previousCrc
  for (let at = 0; at < bytes.length; at += 1)
    invertedCrc = (crcTable[(invertedCrc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (invertedCrc >>> 8)
  return ~invertedCrc >>> 0
}
