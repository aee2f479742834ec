import { Inflate } from 'fflate'
import { crc32, decodeLatin1, toDataView } from './bytes'
import { type CheckSteps, FileRefusal, type ProblemId } from './refusal'

/** Input bytes per call of the inflater. Deflate data expands at most 1,032 times, so this limits the output per call. */
const inputStep = 4096

type InflateLimit = { most: number; tooMuch: ProblemId; damaged: ProblemId }

/**
 * Inflates raw deflate data in steps and passes each piece of output to `take`. Throws `tooMuch` beyond `most` bytes, and `damaged` if the
 * data ends before its last block. Returns the number of bytes.
 */
function* inflate(data: Uint8Array, { most, tooMuch, damaged }: InflateLimit, take: (bytes: Uint8Array) => void): CheckSteps<number> {
  let length = 0
  const inflater = new Inflate((bytes) => {
    length += bytes.length
    if (length > most) throw new FileRefusal(tooMuch)
    take(bytes)
  })
  for (let at = 0; at < data.length || at === 0; at += inputStep) {
    pushInput(inflater, data.subarray(at, at + inputStep), at + inputStep >= data.length, damaged)
    yield
  }
  return length
}

function pushInput(inflater: Inflate, bytes: Uint8Array, isLast: boolean, damaged: ProblemId): void {
  try {
    inflater.push(bytes, isLast)
  } catch (error) {
    throw error instanceof FileRefusal ? error : new FileRefusal(damaged)
  }
}

/** Inflates zlib data (RFC 1950) into one array of at most `most` bytes. Ignores the checksum, as PDF readers do. */
export function* inflateZlib(data: Uint8Array, limit: InflateLimit): CheckSteps<Uint8Array> {
  const [first = 0, second = 0] = data
  if ((first & 15) !== 8 || ((first << 8) | second) % 31 !== 0 || (second & 32) !== 0) throw new FileRefusal(limit.damaged)
  const chunks: Uint8Array[] = []
  const length = yield* inflate(data.subarray(2), limit, (bytes) => chunks.push(bytes))
  const unpacked = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    unpacked.set(chunk, at)
    at += chunk.length
  }
  return unpacked
}

/** Maximum number of entries, maximum unpacked bytes, and the maximum ratio of unpacked bytes to the archive's size. */
const zipLimits = { entries: 1000, bytes: 100_000_000, ratio: 200 }

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50, descriptor: 0x08074b50 }

/** A file in an archive, with the position of its packed bytes. */
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

/** Reads the end record of a zip archive. It must be the last bytes of the file, for one disk, without ZIP64. */
function readEndRecord(view: DataView): { start: number; end: number; count: number } {
  const end = view.byteLength - 22
  if (end < 0 || view.getUint32(end, true) !== signatures.end || view.getUint16(end + 20, true) !== 0) throw new FileRefusal('wordDamaged')
  const [disk, other, here, count] = [4, 6, 8, 10].map((offset) => view.getUint16(end + offset, true))
  if (disk !== 0 || other !== 0 || here !== count || count === undefined) throw new FileRefusal('wordDamaged')
  if (count > zipLimits.entries) throw new FileRefusal('wordEntries')
  const [length, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)]
  if (start + length !== end) throw new FileRefusal('wordDamaged')
  return { start, end, count }
}

function readCentralHeader(bytes: Uint8Array, view: DataView, at: number): { entry: ZipEntry; next: number } {
  if (view.getUint32(at, true) !== signatures.central) throw new FileRefusal('wordDamaged')
  const readUint16 = (offset: number) => view.getUint16(at + offset, true)
  const readUint32 = (offset: number) => view.getUint32(at + offset, true)
  const next = at + 46 + readUint16(28) + readUint16(30) + readUint16(32)
  const name = decodeLatin1(bytes, at + 46, at + 46 + readUint16(28))
  const sizes = { packed: readUint32(20), size: readUint32(24), header: readUint32(42) }
  return { entry: { name, flags: readUint16(8), method: readUint16(10), crc: readUint32(16), ...sizes, start: 0 }, next }
}

/** Returns an entry with the start of its data, which follows its local header. The header must match the directory. */
function addDataStart(bytes: Uint8Array, view: DataView, entry: ZipEntry): ZipEntry {
  const at = entry.header
  const u16 = (offset: number) => view.getUint16(at + offset, true)
  const isSameHeader = u16(6) === entry.flags && u16(8) === entry.method && decodeLatin1(bytes, at + 30, at + 30 + u16(26)) === entry.name
  if (view.getUint32(at, true) !== signatures.local || !isSameHeader) throw new FileRefusal('wordDamaged')
  const localValues = [14, 18, 22].map((offset) => view.getUint32(at + offset, true))
  const directoryValues = [entry.crc, entry.packed, entry.size]
  const hasSameValues = localValues.every(
    (value, index) => value === directoryValues[index] || (value === 0 && (entry.flags & descriptorFlag) !== 0),
  )
  if (!hasSameValues) throw new FileRefusal('wordDamaged')
  return { ...entry, start: at + 30 + u16(26) + u16(28) }
}

/** Returns the end of an entry, after its packed bytes and its optional data descriptor. */
function findEntryEnd(view: DataView, entry: ZipEntry, limit: number): number {
  const end = entry.start + entry.packed
  if ((entry.flags & descriptorFlag) === 0) return end
  const signatureLength = view.getUint32(end, true) === signatures.descriptor ? 4 : 0
  const [crc, packed] = [view.getUint32(end + signatureLength, true), view.getUint32(end + signatureLength + 4, true)]
  if (crc !== entry.crc || packed !== entry.packed) throw new FileRefusal('wordDamaged')
  // The descriptor's sizes have 32 or 64 bits. The next record shows which.
  const shortEnd = end + signatureLength + 12
  return shortEnd === limit || view.getUint32(shortEnd, true) === signatures.local ? shortEnd : shortEnd + 8
}

function checkEntryName(name: string): void {
  const hasParentPath = name.split('/').includes('..')
  const isOddName = /^\/|\\|^[a-z]:|\p{Cc}/iu.test(name) || name === ''
  if (hasParentPath || isOddName) throw new FileRefusal('wordDamaged')
}

function* readDirectory(bytes: Uint8Array, view: DataView, { start, end, count }: ReturnType<typeof readEndRecord>): Generator<ZipEntry> {
  let at = start
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = readCentralHeader(bytes, view, at)
    checkEntryName(entry.name)
    if ((entry.flags & encryptedFlags) !== 0) throw new FileRefusal('wordPassword')
    if (entry.method !== 0 && entry.method !== 8) throw new FileRefusal('wordDamaged')
    yield addDataStart(bytes, view, entry)
    at = next
  }
  if (at !== end) throw new FileRefusal('wordDamaged')
}

/** Requires that the entries fill the file from its first byte to the directory without gaps. */
function checkTiling(view: DataView, entries: readonly ZipEntry[], directory: number): void {
  let from = 0
  for (const entry of entries.toSorted((a, b) => a.header - b.header)) {
    if (entry.header !== from) throw new FileRefusal('wordDamaged')
    from = findEntryEnd(view, entry, directory)
  }
  if (from !== directory) throw new FileRefusal('wordDamaged')
}

/**
 * Returns the entries of a valid archive. They fill it without gaps or overlaps, and every local header matches the directory. Refuses
 * encrypted and duplicate entries, unusual compression methods, and names that lead out of the folder.
 */
export function readEntries(bytes: Uint8Array): ZipEntry[] {
  const view = toDataView(bytes)
  const directory = readEndRecord(view)
  const entries = [...readDirectory(bytes, view, directory)]
  if (new Set(entries.map(({ name }) => name.toLowerCase())).size !== entries.length) throw new FileRefusal('wordDamaged')
  checkTiling(view, entries, directory.start)
  return entries
}

/** Returns the number of bytes that an archive of this size may unpack to. `unpackEntry` subtracts its output from `left`. */
export const createAllowance = (bytes: Uint8Array): { left: number } => ({
  left: Math.min(zipLimits.bytes, bytes.length * zipLimits.ratio),
})

/** Unpacks one entry, passes its output to `take`, and checks its size, its checksum and the allowance. */
export function* unpackEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
  allowance: { left: number },
  take: (part: Uint8Array) => void,
): CheckSteps {
  const packed = bytes.subarray(entry.start, entry.start + entry.packed)
  if (entry.size > allowance.left) throw new FileRefusal('wordTooLarge')
  let crc = 0
  const watch = (part: Uint8Array) => {
    crc = crc32(part, crc)
    take(part)
  }
  const limit = { most: allowance.left, tooMuch: 'wordTooLarge', damaged: 'wordDamaged' } as const
  const size = entry.method === 8 ? yield* inflate(packed, limit, watch) : packed.length
  if (entry.method === 0) watch(packed)
  allowance.left -= size
  if (size !== entry.size || crc !== entry.crc) throw new FileRefusal('wordDamaged')
  yield
}
