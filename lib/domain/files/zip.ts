import { Inflate } from 'fflate'
import { computeCrc32, decodeLatin1, toDataView } from './bytes'
import { FileRefusal, type PausableCheck, type ProblemId } from './refusal'

/** Deflate data expands at most 1,032 times, so this limits the output per call. */
const inputChunkBytes = 4096

type InflateLimit = { most: number; tooMuch: ProblemId; damaged: ProblemId }

/** Returns the output length. Throws `tooMuch` above `most` bytes, `damaged` for invalid data. */
function* inflate(
  data: Uint8Array,
  { most, tooMuch, damaged }: InflateLimit,
  handleOutput: (bytes: Uint8Array) => void,
): PausableCheck<number> {
  let outputLength = 0
  const inflater = new Inflate((bytes) => {
    outputLength += bytes.length
    if (outputLength > most) throw new FileRefusal(tooMuch)
    handleOutput(bytes)
  })
  for (let at = 0; at < data.length || at === 0; at += inputChunkBytes) {
    pushInput(
      inflater,
      data.subarray(at, at + inputChunkBytes),
      at + inputChunkBytes >= data.length,
      damaged,
    )
    yield
  }
  return outputLength
}

function pushInput(
  inflater: Inflate,
  bytes: Uint8Array,
  isLast: boolean,
  damaged: ProblemId,
): void {
  try {
    inflater.push(bytes, isLast)
  } catch (error) {
    throw error instanceof FileRefusal ? error : new FileRefusal(damaged)
  }
}

/** zlib (RFC 1950). Ignores the checksum, because PDF readers ignore it too. */
export function* inflateZlib(data: Uint8Array, limit: InflateLimit): PausableCheck<Uint8Array> {
  const [first = 0, second = 0] = data
  if ((first & 15) !== 8 || ((first << 8) | second) % 31 !== 0 || (second & 32) !== 0)
    throw new FileRefusal(limit.damaged)
  const chunks: Uint8Array[] = []
  const unpackedLength = yield* inflate(data.subarray(2), limit, (bytes) => chunks.push(bytes))
  const unpacked = new Uint8Array(unpackedLength)
  let writeOffset = 0
  for (const chunk of chunks) {
    unpacked.set(chunk, writeOffset)
    writeOffset += chunk.length
  }
  return unpacked
}

/** Against zip bombs. `ratio` is unpacked bytes to the archive's size. */
const zipLimits = { entries: 1000, bytes: 100_000_000, ratio: 200 }

const recordSignatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  descriptor: 0x08074b50,
}

/** `header` is the offset of the local header, `start` that of the packed bytes. */
export type ZipEntry = {
  name: string
  method: number
  crc: number
  packed: number
  size: number
  start: number
  header: number
  flags: number
}

const encryptedFlags = 0x0001 | 0x0040 | 0x2000
const descriptorFlag = 0x0008

/** Throws unless the record is at the very end of the file, with one disk and without ZIP64. */
function readEndRecord(view: DataView): { start: number; end: number; count: number } {
  const endRecordOffset = view.byteLength - 22
  if (
    endRecordOffset < 0 ||
    view.getUint32(endRecordOffset, true) !== recordSignatures.end ||
    view.getUint16(endRecordOffset + 20, true) !== 0
  )
    throw new FileRefusal('wordDamaged')
  const [disk, other, here, count] = [4, 6, 8, 10].map((offset) =>
    view.getUint16(endRecordOffset + offset, true),
  )
  if (disk !== 0 || other !== 0 || here !== count || count === undefined)
    throw new FileRefusal('wordDamaged')
  if (count > zipLimits.entries) throw new FileRefusal('wordEntries')
  const [length, start] = [
    view.getUint32(endRecordOffset + 12, true),
    view.getUint32(endRecordOffset + 16, true),
  ]
  if (start + length !== endRecordOffset) throw new FileRefusal('wordDamaged')
  return { start, end: endRecordOffset, count }
}

function readCentralHeader(
  bytes: Uint8Array,
  view: DataView,
  headerOffset: number,
): { entry: ZipEntry; next: number } {
  if (view.getUint32(headerOffset, true) !== recordSignatures.central)
    throw new FileRefusal('wordDamaged')
  const readUint16 = (offset: number) => view.getUint16(headerOffset + offset, true)
  const readUint32 = (offset: number) => view.getUint32(headerOffset + offset, true)
  const nextHeaderOffset = headerOffset + 46 + readUint16(28) + readUint16(30) + readUint16(32)
  const name = decodeLatin1(bytes, headerOffset + 46, headerOffset + 46 + readUint16(28))
  const sizesAndOffset = { packed: readUint32(20), size: readUint32(24), header: readUint32(42) }
  return {
    entry: {
      name,
      flags: readUint16(8),
      method: readUint16(10),
      crc: readUint32(16),
      ...sizesAndOffset,
      start: 0,
    },
    next: nextHeaderOffset,
  }
}

/** Throws if the local header differs from the central directory. */
function locateEntryData(bytes: Uint8Array, view: DataView, entry: ZipEntry): ZipEntry {
  const headerOffset = entry.header
  const readLocalUint16 = (offset: number) => view.getUint16(headerOffset + offset, true)
  const isSameHeader =
    readLocalUint16(6) === entry.flags &&
    readLocalUint16(8) === entry.method &&
    decodeLatin1(bytes, headerOffset + 30, headerOffset + 30 + readLocalUint16(26)) === entry.name
  if (view.getUint32(headerOffset, true) !== recordSignatures.local || !isSameHeader)
    throw new FileRefusal('wordDamaged')
  const localHeaderValues = [14, 18, 22].map((offset) =>
    view.getUint32(headerOffset + offset, true),
  )
  const centralHeaderValues = [entry.crc, entry.packed, entry.size]
  const hasSameValues = localHeaderValues.every(
    (value, index) =>
      value === centralHeaderValues[index] || (value === 0 && (entry.flags & descriptorFlag) !== 0),
  )
  if (!hasSameValues) throw new FileRefusal('wordDamaged')
  return { ...entry, start: headerOffset + 30 + readLocalUint16(26) + readLocalUint16(28) }
}

function findEntryEnd(view: DataView, entry: ZipEntry, directoryOffset: number): number {
  const dataEnd = entry.start + entry.packed
  if ((entry.flags & descriptorFlag) === 0) return dataEnd
  const descriptorSignatureLength =
    view.getUint32(dataEnd, true) === recordSignatures.descriptor ? 4 : 0
  const [crc, packed] = [
    view.getUint32(dataEnd + descriptorSignatureLength, true),
    view.getUint32(dataEnd + descriptorSignatureLength + 4, true),
  ]
  if (crc !== entry.crc || packed !== entry.packed) throw new FileRefusal('wordDamaged')
  // The sizes in a data descriptor have 32 or 64 bits. They have 32 bits if the next local header
  // or the directory begins right after them.
  const endWith32BitSizes = dataEnd + descriptorSignatureLength + 12
  return endWith32BitSizes === directoryOffset ||
    view.getUint32(endWith32BitSizes, true) === recordSignatures.local
    ? endWith32BitSizes
    : endWith32BitSizes + 8
}

function checkEntryName(name: string): void {
  const hasParentPath = name.split('/').includes('..')
  const isUnsafeName = /^\/|\\|^[a-z]:|\p{Cc}/iu.test(name) || name === ''
  if (hasParentPath || isUnsafeName) throw new FileRefusal('wordDamaged')
}

function* readCentralDirectory(
  bytes: Uint8Array,
  view: DataView,
  { start, end, count }: ReturnType<typeof readEndRecord>,
): Generator<ZipEntry> {
  let centralHeaderOffset = start
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = readCentralHeader(bytes, view, centralHeaderOffset)
    checkEntryName(entry.name)
    if ((entry.flags & encryptedFlags) !== 0) throw new FileRefusal('wordPassword')
    if (entry.method !== 0 && entry.method !== 8) throw new FileRefusal('wordDamaged')
    yield locateEntryData(bytes, view, entry)
    centralHeaderOffset = next
  }
  if (centralHeaderOffset !== end) throw new FileRefusal('wordDamaged')
}

/** Throws for a gap or an overlap from the start of the file to the central directory. */
function requireContiguousEntries(
  view: DataView,
  entries: readonly ZipEntry[],
  directory: number,
): void {
  let expectedOffset = 0
  for (const entry of entries.toSorted((a, b) => a.header - b.header)) {
    if (entry.header !== expectedOffset) throw new FileRefusal('wordDamaged')
    expectedOffset = findEntryEnd(view, entry, directory)
  }
  if (expectedOffset !== directory) throw new FileRefusal('wordDamaged')
}

/**
 * Throws for gaps, overlaps, encrypted entries, duplicate names, unusual compression methods, names
 * that lead out of the folder, and local headers that differ from the central directory.
 */
export function readZipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = toDataView(bytes)
  const endRecord = readEndRecord(view)
  const centralEntries = [...readCentralDirectory(bytes, view, endRecord)]
  if (new Set(centralEntries.map(({ name }) => name.toLowerCase())).size !== centralEntries.length)
    throw new FileRefusal('wordDamaged')
  requireContiguousEntries(view, centralEntries, endRecord.start)
  return centralEntries
}

/** `unpackEntry` subtracts the size of each entry from `left`. */
export const createUnpackAllowance = (bytes: Uint8Array): { left: number } => ({
  left: Math.min(zipLimits.bytes, bytes.length * zipLimits.ratio),
})

/** Throws if the size or checksum is wrong, or if the entry exceeds the allowance. */
export function* unpackEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
  allowance: { left: number },
  handleOutput: (part: Uint8Array) => void,
): PausableCheck {
  const packedBytes = bytes.subarray(entry.start, entry.start + entry.packed)
  if (entry.size > allowance.left) throw new FileRefusal('wordTooLarge')
  let crc = 0
  const handleUnpackedPart = (part: Uint8Array) => {
    crc = computeCrc32(part, crc)
    handleOutput(part)
  }
  const limit = { most: allowance.left, tooMuch: 'wordTooLarge', damaged: 'wordDamaged' } as const
  const unpackedSize =
    entry.method === 8 ? yield* inflate(packedBytes, limit, handleUnpackedPart) : packedBytes.length
  if (entry.method === 0) handleUnpackedPart(packedBytes)
  allowance.left -= unpackedSize
  if (unpackedSize !== entry.size || crc !== entry.crc) throw new FileRefusal('wordDamaged')
  yield
}
