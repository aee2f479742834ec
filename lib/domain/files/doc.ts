import { latin, viewOf } from './bytes'
import { type ProblemId, Refusal, type Steps } from './refusal'

/** Sector table marks ([MS-CFB] 2.1): end of a chain, and the first of the marks for free and table sectors. */
const endOfChain = 0xfffffffe
const firstMark = 0xfffffffa

/** A directory entry. `kind` is 1 for a storage, 2 for a stream and 5 for the root. */
type CompoundEntry = { name: string; kind: number; child: number; left: number; right: number; start: number; size: number }

/** An OLE compound file: its entries, and a function to read their first bytes. */
type Compound = { entries: readonly CompoundEntry[]; read: (entry: CompoundEntry, length: number) => Uint8Array }

type Sectors = { view: DataView; bytes: Uint8Array; size: number; table: Uint32Array }

const offsetOf = ({ size }: Pick<Sectors, 'size'>, sector: number) => (sector + 1) * size

function sectorAt(sectors: Omit<Sectors, 'table'>, sector: number): Uint8Array {
  const at = offsetOf(sectors, sector)
  // The last sector can be short. Reading a table or directory from its missing part throws `RangeError`.
  if (sector >= firstMark || at >= sectors.bytes.length) throw new Refusal('wordDamaged')
  return sectors.bytes.subarray(at, at + sectors.size)
}

/** The sectors of a chain. Refuses a chain that is circular or leaves the table. */
function chainOf(table: Uint32Array, start: number): number[] {
  const chain: number[] = []
  for (let sector = start; sector !== endOfChain; sector = table[sector] ?? firstMark) {
    if (sector >= table.length || chain.length > table.length) throw new Refusal('wordDamaged')
    chain.push(sector)
  }
  return chain
}

/** The sectors of the sector table: 109 are in the header, the others in a chain. */
function tableSectors(view: DataView, sectors: Omit<Sectors, 'table'>): number[] {
  const count = view.getUint32(0x2c, true)
  const list: number[] = []
  for (let at = 0x4c; at < 0x200; at += 4) list.push(view.getUint32(at, true))
  let next = view.getUint32(0x44, true)
  for (let seen = 0; next < firstMark; seen += 1) {
    const sector = viewOf(sectorAt(sectors, next))
    if (seen > sectors.bytes.length / sectors.size) throw new Refusal('wordDamaged')
    for (let at = 0; at < sectors.size - 4; at += 4) list.push(sector.getUint32(at, true))
    next = sector.getUint32(sectors.size - 4, true)
  }
  const used = list.filter((sector) => sector < firstMark)
  if (used.length < count) throw new Refusal('wordDamaged')
  return used.slice(0, count)
}

function tableOf(sectors: Omit<Sectors, 'table'>, list: readonly number[]): Uint32Array {
  const each = sectors.size / 4
  const table = new Uint32Array(list.length * each)
  list.forEach((sector, index) => {
    const view = viewOf(sectorAt(sectors, sector))
    for (let at = 0; at < each; at += 1) table[index * each + at] = view.getUint32(at * 4, true)
  })
  return table
}

function entryAt(view: DataView, bytes: Uint8Array, at: number): CompoundEntry {
  const length = Math.min(64, Math.max(2, view.getUint16(at + 0x40, true)))
  const name = new TextDecoder('utf-16le').decode(bytes.subarray(at, at + length - 2))
  const [left, right, child] = [0x44, 0x48, 0x4c].map((offset) => view.getUint32(at + offset, true)) as [number, number, number]
  const start = view.getUint32(at + 0x74, true)
  return { name, kind: view.getUint8(at + 0x42), left, right, child, start, size: view.getUint32(at + 0x78, true) }
}

function directoryOf(sectors: Sectors, start: number): CompoundEntry[] {
  return chainOf(sectors.table, start).flatMap((sector) => {
    const bytes = sectorAt(sectors, sector)
    const view = viewOf(bytes)
    return Array.from({ length: sectors.size / 128 }, (_, index) => entryAt(view, bytes, index * 128))
  })
}

/** Reads the first bytes of a stream. Streams under 4,096 bytes are in 64-byte sectors of the root's stream. */
function reader(sectors: Sectors, root: CompoundEntry, mini: Uint32Array, miniLimit: number): Compound['read'] {
  const bytesOf = (sector: number, from: number, length: number) => sectorAt(sectors, sector).subarray(from, from + length)
  return (entry, length) => {
    if (entry.size >= miniLimit) return bytesOf(entry.start, 0, length)
    chainOf(mini, entry.start)
    const home = chainOf(sectors.table, root.start)
    const at = entry.start * 64
    return bytesOf(home[Math.floor(at / sectors.size)] ?? firstMark, at % sectors.size, Math.min(length, 64))
  }
}

/** Reads header, tables and directory of an OLE compound file, version 3 or 4. */
function readCompound(bytes: Uint8Array): Compound {
  const view = viewOf(bytes)
  const [major, order, shift, miniShift] = [0x1a, 0x1c, 0x1e, 0x20].map((at) => view.getUint16(at, true))
  const known = (major === 3 && shift === 9) || (major === 4 && shift === 12)
  if (!known || order !== 0xfffe || miniShift !== 6) throw new Refusal('wordDamaged')
  const plain = { view, bytes, size: 1 << (shift ?? 9) }
  const sectors = { ...plain, table: tableOf(plain, tableSectors(view, plain)) }
  const entries = directoryOf(sectors, view.getUint32(0x30, true))
  const [root] = entries
  if (root?.kind !== 5) throw new Refusal('wordDamaged')
  const miniStart = view.getUint32(0x3c, true)
  const mini = miniStart < firstMark ? tableOf(plain, chainOf(sectors.table, miniStart)) : new Uint32Array()
  refuseTail(sectors)
  return { entries, read: reader(sectors, root, mini, view.getUint32(0x38, true)) }
}

/** Refuses data after the last used sector, except padding. */
function refuseTail({ bytes, size, table }: Sectors): void {
  const used = table.findLastIndex((mark) => mark !== 0xffffffff)
  if (bytes.length > offsetOf({ size }, table.length) + size) throw new Refusal('wordDamaged')
  const tail = latin(bytes, offsetOf({ size }, used + 1), bytes.length)
  if (/[^\0\xff\xfe\xfd]/.test(tail)) throw new Refusal('wordDamaged')
}

/** Entry names that refuse the file, at any level. Compared without a leading control character. */
const telling: readonly [RegExp, ProblemId][] = [
  [/^encryptedpackage$|^encryptioninfo$|^dataspaces$/i, 'wordPassword'],
  [/^macros$|^vba$|^_vba_project(?:_cur)?$|^project(?:wm)?$|^dir$/i, 'wordMacros'],
  [/^ole10native$|^package$|^ocxname$|^ocxdata$|^objinfo$/i, 'wordEmbedded'],
]

const nameOf = ({ name }: CompoundEntry) => name.replace(/^\p{Cc}/u, '')

/** True for a storage or stream. Deleted entries stay in the directory with kind 0. */
const inUse = ({ kind }: CompoundEntry) => kind === 1 || kind === 2

/** Checks the document header ([MS-DOC] 2.5.2). */
function checkHeader(head: Uint8Array): void {
  const view = viewOf(head)
  if (view.getUint16(0, true) !== 0xa5ec) throw new Refusal(view.getUint16(0, true) === 0xa5dc ? 'wordOld' : 'wordDamaged')
  if (view.getUint16(2, true) < 0xc1) throw new Refusal('wordOld')
  const flags = view.getUint16(10, true)
  if ((flags & 0x8100) !== 0) throw new Refusal('wordPassword')
}

/** Refuses embedded objects. Word writes an empty storage for them too. */
function refuseObjects({ entries }: Compound): void {
  const pool = entries.find(({ name, kind }) => kind === 1 && name === 'ObjectPool')
  if (pool && pool.child !== 0xffffffff) throw new Refusal('wordEmbedded')
}

/** Checks an old Word document and refuses anything other than text and pictures. */
export function* checkDoc(bytes: Uint8Array): Steps {
  const compound = readCompound(bytes)
  yield
  const entries = compound.entries.filter(inUse)
  for (const [name, problem] of telling) if (entries.some((entry) => name.test(nameOf(entry)))) throw new Refusal(problem)
  refuseObjects(compound)
  const text = entries.find(({ name, kind }) => kind === 2 && name === 'WordDocument')
  if (!text) throw new Refusal('docOther')
  checkHeader(compound.read(text, 32))
}
