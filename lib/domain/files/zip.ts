import { Inflate } from 'fflate'
import { crc32, latin, toDataView } from './bytes'
import { type ProblemId, Refusal, type Steps } from './refusal'

/** Input bytes per call of the inflater. Deflate data expands at most 1,032 times, so this limits the output per call. */
const inputStep = 4096

type Limit = { most: number; tooMuch: ProblemId; damaged: ProblemId }

/**
 * Inflates raw deflate data in steps and passes each piece of output to `take`. Throws `tooMuch` beyond `most` bytes, and `damaged` if the
 * data ends before its last block. Returns the number of bytes.
 */
function* inflate(data: Uint8Array, { most, tooMuch, damaged }: Limit, take: (bytes: Uint8Array) => void): Steps<number> {
  let length = 0
  const inflater = new Inflate((bytes) => {
    length += bytes.length
    if (length > most) throw new Refusal(tooMuch)
    take(bytes)
  })
  for (let at = 0; at < data.length || at === 0; at += inputStep) {
    push(inflater, data.subarray(at, at + inputStep), at + inputStep >= data.length, damaged)
    yield
  }
  return length
}

function push(inflater: Inflate, bytes: Uint8Array, isLast: boolean, damaged: ProblemId): void {
  try {
    inflater.push(bytes, isLast)
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(damaged)
  }
}

/** Inflates zlib data (RFC 1950) into one array of at most `most` bytes. Ignores the checksum, as PDF readers do. */
export function* inflateZlib(data: Uint8Array, limit: Limit): Steps<Uint8Array> {
  const [first = 0, second = 0] = data
  if ((first & 15) !== 8 || ((first << 8) | second) % 31 !== 0 || (second & 32) !== 0) throw new Refusal(limit.damaged)
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
const limits = { entries: 1000, bytes: 100_000_000, ratio: 200 }

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

const encrypted = 0x0001 | 0x0040 | 0x2000
const descriptorFlag = 0x0008

/** Reads the end record of a zip archive. It must be the last bytes of the file, for one disk, without ZIP64. */
function readEnd(view: DataView): { start: number; end: number; count: number } {
  const end = view.byteLength - 22
  if (end < 0 || view.getUint32(end, true) !== signatures.end || view.getUint16(end + 20, true) !== 0) throw new Refusal('wordDamaged')
  const [disk, other, here, count] = [4, 6, 8, 10].map((offset) => view.getUint16(end + offset, true))
  if (disk !== 0 || other !== 0 || here !== count || count === undefined) throw new Refusal('wordDamaged')
  if (count > limits.entries) throw new Refusal('wordEntries')
  const [length, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)]
  if (start + length !== end) throw new Refusal('wordDamaged')
  return { start, end, count }
}

function centralAt(bytes: Uint8Array, view: DataView, at: number): { entry: ZipEntry; next: number } {
  if (view.getUint32(at, true) !== signatures.central) throw new Refusal('wordDamaged')
  const u16 = (offset: number) => view.getUint16(at + offset, true)
  const u32 = (offset: number) => view.getUint32(at + offset, true)
  const next = at + 46 + u16(28) + u16(30) + u16(32)
  const name = latin(bytes, at + 46, at + 46 + u16(28))
  const sizes = { packed: u32(20), size: u32(24), header: u32(42) }
  return { entry: { name, flags: u16(8), method: u16(10), crc: u32(16), ...sizes, start: 0 }, next }
}

/** Returns an entry with the start of its data, which follows its local header. The header must match the directory. */
function withStart(bytes: Uint8Array, view: DataView, entry: ZipEntry): ZipEntry {
  const at = entry.header
  const u16 = (offset: number) => view.getUint16(at + offset, true)
  const same = u16(6) === entry.flags && u16(8) === entry.method && latin(bytes, at + 30, at + 30 + u16(26)) === entry.name
  if (view.getUint32(at, true) !== signatures.local || !same) throw new Refusal('wordDamaged')
  const localValues = [14, 18, 22].map((offset) => view.getUint32(at + offset, true))
  const directoryValues = [entry.crc, entry.packed, entry.size]
  const agrees = localValues.every(
    (value, index) => value === directoryValues[index] || (value === 0 && (entry.flags & descriptorFlag) !== 0),
  )
  if (!agrees) throw new Refusal('wordDamaged')
  return { ...entry, start: at + 30 + u16(26) + u16(28) }
}

/** Returns the end of an entry, after its packed bytes and its optional data descriptor. */
function findEntryEnd(view: DataView, entry: ZipEntry, limit: number): number {
  const end = entry.start + entry.packed
  if ((entry.flags & descriptorFlag) === 0) return end
  const signed = view.getUint32(end, true) === signatures.descriptor ? 4 : 0
  const [crc, packed] = [view.getUint32(end + signed, true), view.getUint32(end + signed + 4, true)]
  if (crc !== entry.crc || packed !== entry.packed) throw new Refusal('wordDamaged')
  // The descriptor's sizes have 32 or 64 bits. The next record shows which.
  const short = end + signed + 12
  return short === limit || view.getUint32(short, true) === signatures.local ? short : short + 8
}

function checkName(name: string): void {
  const climbs = name.split('/').includes('..')
  const odd = /^\/|\\|^[a-z]:|\p{Cc}/iu.test(name) || name === ''
  if (climbs || odd) throw new Refusal('wordDamaged')
}

function* readDirectory(bytes: Uint8Array, view: DataView, { start, end, count }: ReturnType<typeof readEnd>): Generator<ZipEntry> {
  let at = start
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = centralAt(bytes, view, at)
    checkName(entry.name)
    if ((entry.flags & encrypted) !== 0) throw new Refusal('wordPassword')
    if (entry.method !== 0 && entry.method !== 8) throw new Refusal('wordDamaged')
    yield withStart(bytes, view, entry)
    at = next
  }
  if (at !== end) throw new Refusal('wordDamaged')
}

/** Requires that the entries fill the file from its first byte to the directory without gaps. */
function checkTiling(view: DataView, entries: readonly ZipEntry[], directory: number): void {
  let from = 0
  for (const entry of entries.toSorted((a, b) => a.header - b.header)) {
    if (entry.header !== from) throw new Refusal('wordDamaged')
    from = findEntryEnd(view, entry, directory)
  }
  if (from !== directory) throw new Refusal('wordDamaged')
}

/**
 * Returns the entries of a valid archive. They fill it without gaps or overlaps, and every local header matches the directory. Refuses
 * encrypted and duplicate entries, unusual compression methods, and names that lead out of the folder.
 */
export function readEntries(bytes: Uint8Array): ZipEntry[] {
  const view = toDataView(bytes)
  const directory = readEnd(view)
  const entries = [...readDirectory(bytes, view, directory)]
  if (new Set(entries.map(({ name }) => name.toLowerCase())).size !== entries.length) throw new Refusal('wordDamaged')
  checkTiling(view, entries, directory.start)
  return entries
}

/** Returns the number of bytes that an archive of this size may unpack to. `unpack` subtracts its output from `left`. */
export const createAllowance = (bytes: Uint8Array): { left: number } => ({ left: Math.min(limits.bytes, bytes.length * limits.ratio) })

/** Unpacks one entry, passes its output to `take`, and checks its size, its checksum and the allowance. */
export function* unpack(bytes: Uint8Array, entry: ZipEntry, allowance: { left: number }, take: (part: Uint8Array) => void): Steps {
  const packed = bytes.subarray(entry.start, entry.start + entry.packed)
  if (entry.size > allowance.left) throw new Refusal('wordTooLarge')
  let crc = 0
  const watch = (part: Uint8Array) => {
    crc = crc32(part, crc)
    take(part)
  }
  const limit = { most: allowance.left, tooMuch: 'wordTooLarge', damaged: 'wordDamaged' } as const
  const size = entry.method === 8 ? yield* inflate(packed, limit, watch) : packed.length
  if (entry.method === 0) watch(packed)
  allowance.left -= size
  if (size !== entry.size || crc !== entry.crc) throw new Refusal('wordDamaged')
  yield
}
