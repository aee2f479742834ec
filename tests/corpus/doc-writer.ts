import { createNoise, encodeLatin1, encodeUint16, encodeUint32, toBytes } from './sample'

/**
 * An entry of an OLE compound file: a storage (folder) with its parts, or a stream (file) with its
 * bytes.
 */
export type OlePart =
  | { name: string; bytes: Uint8Array }
  | { name: string; parts: readonly OlePart[] }

type DirectoryEntry = {
  name: string
  kind: number
  child: number
  right: number
  bytes: Uint8Array
  start: number
  size: number
}

const noSector = 0xffffffff
const endOfChain = 0xfffffffe

/**
 * Appends the parts of a storage, and the parts inside them, to `entries`. Returns the index of the
 * first part. In the file, a storage points to its first part (`child`), and each part points to
 * the next one (`right`).
 */
function appendPartEntries(parts: readonly OlePart[], entries: DirectoryEntry[]): number {
  const siblingEntries = parts.map((part) => {
    const bytes = 'bytes' in part ? part.bytes : new Uint8Array()
    const entry: DirectoryEntry = {
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
  siblingEntries.forEach(({ entry, part }, index) => {
    entry.right = siblingEntries[index + 1]?.at ?? noSector
    if ('parts' in part) entry.child = appendPartEntries(part.parts, entries)
  })
  return siblingEntries[0]?.at ?? noSector
}

function encodeDirectoryEntry({ name, kind, child, right, start, size }: DirectoryEntry): Buffer {
  const nameBytes = Buffer.alloc(64)
  nameBytes.write(name, 'utf16le')
  const nameByteLength = name === '' ? 0 : 2 * name.length + 2
  const emptyFields = Buffer.alloc(36)
  return Buffer.concat([
    nameBytes,
    encodeUint16(nameByteLength),
    toBytes(kind, 1),
    encodeUint32(noSector),
    encodeUint32(right),
    encodeUint32(child),
    emptyFields,
    encodeUint32(start),
    encodeUint32(size),
    encodeUint32(0),
  ])
}

const padBytes = (bytes: Uint8Array, multiple: number, fill = 0) =>
  Buffer.concat([bytes, Buffer.alloc((multiple - (bytes.length % multiple)) % multiple, fill)])

/**
 * The sectors of a compound file, all of one size, and the allocation table with the number of the
 * next sector for each sector.
 */
class SectorAllocator {
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
 * Adds the bytes of all streams. Streams of 4,096 bytes or more go to `sectors`. Smaller ones go to
 * sectors of 64 bytes, which together are the stream of the root entry. Returns the first sector of
 * the allocation table of the 64-byte sectors, or `endOfChain` if there are none.
 */
function allocateStreamSectors(
  [root, ...entries]: DirectoryEntry[],
  sectors: SectorAllocator,
): number {
  const smallSectors = new SectorAllocator(64)
  for (const entry of entries.filter(({ kind, bytes }) => kind === 2 && bytes.length > 0)) {
    entry.start = (entry.bytes.length >= 4096 ? sectors : smallSectors).put(entry.bytes)
  }
  if (!root || smallSectors.table.length === 0) return endOfChain
  root.size = smallSectors.bytes.length
  root.start = sectors.put(smallSectors.bytes)
  return sectors.put(Buffer.concat(smallSectors.table.map(encodeUint32)), 0xff)
}

const createEntry = (name: string, kind: number): DirectoryEntry => ({
  name,
  kind,
  child: noSector,
  right: noSector,
  bytes: new Uint8Array(),
  start: kind === 5 ? endOfChain : 0,
  size: 0,
})

/**
 * Returns an OLE compound file with these parts. Version 3 has sectors of 512 bytes, version 4 of
 * 4,096 bytes.
 */
export function writeCompoundFile(parts: readonly OlePart[], version: 3 | 4 = 3): Buffer {
  const sectorSize = version === 3 ? 512 : 4096
  const rootEntry = createEntry('Root Entry', 5)
  const directoryEntries = [rootEntry]
  rootEntry.child = appendPartEntries(parts, directoryEntries)
  const sectorAllocator = new SectorAllocator(sectorSize)
  const smallTableStart = allocateStreamSectors(directoryEntries, sectorAllocator)
  while (directoryEntries.length % (sectorSize / 128) !== 0)
    directoryEntries.push(createEntry('', 0))
  const directoryStart = sectorAllocator.put(
    Buffer.concat(directoryEntries.map(encodeDirectoryEntry)),
  )
  const firstTableSector = sectorAllocator.table.length
  const tableSectorCount = Math.ceil((firstTableSector + 2) / (sectorSize / 4))
  const tableMarkers = Array.from({ length: tableSectorCount }, () => 0xfffffffd)
  const allocationTable = padBytes(
    Buffer.concat([...sectorAllocator.table, ...tableMarkers].map(encodeUint32)),
    sectorSize,
    0xff,
  )
  const directorySectorCount = version === 4 ? (directoryEntries.length * 128) / sectorSize : 0
  const fileHeader = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(16),
    ...[0x3e, version, 0xfffe, version === 3 ? 9 : 12, 6].map(encodeUint16),
    Buffer.alloc(6),
    ...[
      directorySectorCount,
      tableSectorCount,
      directoryStart,
      0,
      4096,
      smallTableStart,
      smallTableStart === endOfChain ? 0 : 1,
      endOfChain,
      0,
    ].map(encodeUint32),
    ...Array.from({ length: 109 }, (_, index) =>
      encodeUint32(index < tableSectorCount ? firstTableSector + index : noSector),
    ),
  ])
  return Buffer.concat([padBytes(fileHeader, sectorSize), sectorAllocator.bytes, allocationTable])
}

const textOffset = 1536
const letterText = 'I authorize this payment.\r'

/**
 * A piece of the text of a Word document. `wide`: two bytes per character (UTF-16) instead of one.
 */
type TextPiece = { text: string; wide?: boolean }

const encodePiece = ({ text, wide }: TextPiece) =>
  wide ? Buffer.from(text, 'utf16le') : encodeLatin1(text)

/**
 * Returns the stream `WordDocument`: the header fields that the upload check reads, and the text.
 * According to the header, the table of pieces is at the start of the table stream, where
 * `createWordTable` writes it.
 */
export function writeWordText({
  ident = 0xa5ec,
  version = 0xc1,
  flags = 0x1200,
  size = 5000,
  pieces = [{ text: letterText }] as TextPiece[],
} = {}): Buffer {
  const wordHeader = Buffer.concat([
    encodeUint16(ident),
    encodeUint16(version),
    encodeUint16(0),
    encodeUint16(0x409),
    encodeUint16(0),
    encodeUint16(flags),
  ])
  const streamBytes = Buffer.concat([
    wordHeader,
    Buffer.alloc(textOffset - wordHeader.length),
    ...pieces.map(encodePiece),
  ])
  streamBytes.writeUInt32LE(encodePieceTable(pieces).length, 0x1a6)
  return Buffer.concat([streamBytes, Buffer.alloc(Math.max(0, size - streamBytes.length))])
}

/** Returns the table of pieces ([MS-DOC] 2.8.35), for pieces that are stored one after another. */
function encodePieceTable(pieces: readonly TextPiece[]): Buffer {
  let [character, offset] = [0, textOffset]
  const pieceEnds: Buffer[] = [encodeUint32(0)]
  const pieceDescriptors: Buffer[] = []
  for (const piece of pieces) {
    character += piece.text.length
    pieceEnds.push(encodeUint32(character))
    pieceDescriptors.push(
      Buffer.concat([
        encodeUint16(0),
        encodeUint32(piece.wide ? offset : 2 * offset + 0x40000000),
        encodeUint16(0),
      ]),
    )
    offset += encodePiece(piece).length
  }
  const pieceTable = Buffer.concat([...pieceEnds, ...pieceDescriptors])
  return Buffer.concat([toBytes(2), encodeUint32(pieceTable.length), pieceTable])
}

/**
 * Returns the table stream of a document: the table of pieces, and noise in place of the other
 * tables.
 */
export const createWordTable = (
  pieces: readonly TextPiece[] = [{ text: letterText }],
): OlePart => ({
  name: '1Table',
  bytes: Buffer.concat([encodePieceTable(pieces), createNoise(7000, 3)]),
})
