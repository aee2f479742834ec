import { createNoise, encodeLatin1, toBytes, u16, u32 } from './sample'

/** An entry of an OLE compound file: a storage (folder) with its parts, or a stream (file) with its bytes. */
export type Part = { name: string; bytes: Uint8Array } | { name: string; parts: readonly Part[] }

type Entry = { name: string; kind: number; child: number; right: number; bytes: Uint8Array; start: number; size: number }

const noSector = 0xffffffff
const endOfChain = 0xfffffffe

/**
 * Adds the entries of a directory tree to `entries`. Returns the number of the first sibling. The first entry of a storage is its child,
 * and each following entry is the right sibling of the previous one.
 */
function flattenParts(parts: readonly Part[], entries: Entry[]): number {
  const siblings = parts.map((part) => {
    const bytes = 'bytes' in part ? part.bytes : new Uint8Array()
    const entry: Entry = {
      name: part.name,
      kind: 'bytes' in part ? 2 : 1,
      child: noSector,
      right: noSector,
      bytes,
      start: endOfChain,
      size: bytes.length,
    }
    entries.push(entry)
    return { entry, at: entries.length - 1, part }
  })
  siblings.forEach(({ entry, part }, index) => {
    entry.right = siblings[index + 1]?.at ?? noSector
    if ('parts' in part) entry.child = flattenParts(part.parts, entries)
  })
  return siblings[0]?.at ?? noSector
}

function encodeDirectoryEntry({ name, kind, child, right, start, size }: Entry): Buffer {
  const text = Buffer.alloc(64)
  text.write(name, 'utf16le')
  const length = name === '' ? 0 : 2 * name.length + 2
  const times = Buffer.alloc(36)
  return Buffer.concat([text, u16(length), toBytes(kind, 1), u32(noSector), u32(right), u32(child), times, u32(start), u32(size), u32(0)])
}

const padBytes = (bytes: Uint8Array, to: number, fill = 0) => Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to, fill)])

/** Sectors of one size, and the allocation table that chains them. */
class Sectors {
  readonly table: number[] = []
  private readonly parts: Buffer[] = []
  private readonly size: number

  constructor(size: number) {
    this.size = size
  }

  /** Adds a chain of sectors with these bytes. Returns the number of its first sector. */
  put(bytes: Uint8Array, fill = 0): number {
    const paddedBytes = padBytes(bytes, this.size, fill)
    const startSector = this.table.length
    for (let at = 0; at < paddedBytes.length; at += this.size)
      this.table.push(at + this.size < paddedBytes.length ? this.table.length + 1 : endOfChain)
    this.parts.push(paddedBytes)
    return startSector
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts)
  }
}

/**
 * Places the streams in sectors; streams under 4,096 bytes go into the small sectors of the root's stream. Returns the first sector of the
 * table of the small sectors.
 */
function placeStreams([root, ...entries]: Entry[], sectors: Sectors): number {
  const smallSectors = new Sectors(64)
  for (const entry of entries.filter(({ kind, bytes }) => kind === 2 && bytes.length > 0)) {
    entry.start = (entry.bytes.length >= 4096 ? sectors : smallSectors).put(entry.bytes)
  }
  if (!root || smallSectors.table.length === 0) return endOfChain
  root.size = smallSectors.bytes.length
  root.start = sectors.put(smallSectors.bytes)
  return sectors.put(Buffer.concat(smallSectors.table.map(u32)), 0xff)
}

const createEntry = (name: string, kind: number): Entry => ({
  name,
  kind,
  child: noSector,
  right: noSector,
  bytes: new Uint8Array(),
  start: kind === 5 ? endOfChain : 0,
  size: 0,
})

/**
 * Returns an OLE compound file: version 3 has sectors of 512 bytes, version 4 of 4,096 bytes. Streams under 4,096 bytes go into the small
 * sectors.
 */
export function writeCompoundFile(parts: readonly Part[], version: 3 | 4 = 3): Buffer {
  const size = version === 3 ? 512 : 4096
  const root = createEntry('Root Entry', 5)
  const entries = [root]
  root.child = flattenParts(parts, entries)
  const sectors = new Sectors(size)
  const smallTableStart = placeStreams(entries, sectors)
  while (entries.length % (size / 128) !== 0) entries.push(createEntry('', 0))
  const directory = sectors.put(Buffer.concat(entries.map(encodeDirectoryEntry)))
  const firstTableSector = sectors.table.length
  const tables = Math.ceil((firstTableSector + 2) / (size / 4))
  const tableMarkers = Array.from({ length: tables }, () => 0xfffffffd)
  const table = padBytes(Buffer.concat([...sectors.table, ...tableMarkers].map(u32)), size, 0xff)
  const directorySectorCount = version === 4 ? (entries.length * 128) / size : 0
  const header = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(16),
    ...[0x3e, version, 0xfffe, version === 3 ? 9 : 12, 6].map(u16),
    Buffer.alloc(6),
    ...[directorySectorCount, tables, directory, 0, 4096, smallTableStart, smallTableStart === endOfChain ? 0 : 1, endOfChain, 0].map(u32),
    ...Array.from({ length: 109 }, (_, index) => u32(index < tables ? firstTableSector + index : noSector)),
  ])
  return Buffer.concat([padBytes(header, size), sectors.bytes, table])
}

const textStart = 1536
const letter = 'I authorize this payment.\r'

/** A piece of text. `wide` stores two bytes per character instead of one. */
type TextPiece = { text: string; wide?: boolean }

const encodePiece = ({ text, wide }: TextPiece) => (wide ? Buffer.from(text, 'utf16le') : encodeLatin1(text))

/**
 * Returns the stream with a document's text, including the header fields that the checks read. The table of pieces must be at the start of
 * the stream `createWordTable`.
 */
export function writeWordText({
  ident = 0xa5ec,
  version = 0xc1,
  flags = 0x1200,
  size = 5000,
  pieces = [{ text: letter }] as TextPiece[],
} = {}): Buffer {
  const head = Buffer.concat([u16(ident), u16(version), u16(0), u16(0x409), u16(0), u16(flags)])
  const file = Buffer.concat([head, Buffer.alloc(textStart - head.length), ...pieces.map(encodePiece)])
  file.writeUInt32LE(encodeClx(pieces).length, 0x1a6)
  return Buffer.concat([file, Buffer.alloc(Math.max(0, size - file.length))])
}

/** Returns the table of pieces ([MS-DOC] 2.8.35). The pieces follow each other in the stream. */
function encodeClx(pieces: readonly TextPiece[]): Buffer {
  let [character, offset] = [0, textStart]
  const pieceEnds: Buffer[] = [u32(0)]
  const pieceDescriptors: Buffer[] = []
  for (const piece of pieces) {
    character += piece.text.length
    pieceEnds.push(u32(character))
    pieceDescriptors.push(Buffer.concat([u16(0), u32(piece.wide ? offset : 2 * offset + 0x40000000), u16(0)]))
    offset += encodePiece(piece).length
  }
  const table = Buffer.concat([...pieceEnds, ...pieceDescriptors])
  return Buffer.concat([toBytes(2), u32(table.length), table])
}

/** Returns the stream that contains a document's table of pieces and some more bytes. */
export const createWordTable = (pieces: readonly TextPiece[] = [{ text: letter }]): Part => ({
  name: '1Table',
  bytes: Buffer.concat([encodeClx(pieces), createNoise(7000, 3)]),
})
