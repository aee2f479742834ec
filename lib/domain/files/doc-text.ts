import { decodeLatin1, toDataView } from './bytes'
import { FileRefusal } from './refusal'

/** Offsets in the document header ([MS-DOC] 2.5). */
const headerOffsets = { flags: 0x0a, pieces: 0x1a2, piecesLength: 0x1a6 }

/** `secondTable`: the piece table is in `1Table`. `oneByte`: a piece has one byte per character. */
const flagMasks = { secondTable: 0x0200, oneByte: 0x40000000 }

const utf16Decoder = new TextDecoder('utf-16le')

/** Formatting data can come before the piece table ([MS-DOC] 2.9.38). */
function findPieceTable(block: Uint8Array): Uint8Array {
  const view = toDataView(block)
  let offset = 0
  while (view.getUint8(offset) === 1) offset += 3 + view.getUint16(offset + 1, true)
  if (view.getUint8(offset) !== 2) throw new FileRefusal('wordDamaged')
  return block.subarray(offset + 5, offset + 5 + view.getUint32(offset + 1, true))
}

/**
 * A document stores its text in pieces, in any order. The piece table lists the pieces in reading
 * order.
 */
export function readDocText(
  mainStream: Uint8Array,
  readStream: (name: string) => Uint8Array | null,
): string {
  const headerView = toDataView(mainStream)
  const tableStream = readStream(
    (headerView.getUint16(headerOffsets.flags, true) & flagMasks.secondTable) === 0
      ? '0Table'
      : '1Table',
  )
  const [start, length] = [
    headerView.getUint32(headerOffsets.pieces, true),
    headerView.getUint32(headerOffsets.piecesLength, true),
  ]
  if (!tableStream || length === 0 || start + length > tableStream.length)
    throw new FileRefusal('wordDamaged')
  const pieceTable = findPieceTable(tableStream.subarray(start, start + length))
  const view = toDataView(pieceTable)
  const pieceCount = Math.floor((pieceTable.length - 4) / 12)
  const pieceTexts = Array.from({ length: pieceCount }, (_, index) => {
    const characterCount = view.getUint32(4 * index + 4, true) - view.getUint32(4 * index, true)
    const rawOffset = view.getUint32(4 * (pieceCount + 1) + 8 * index + 2, true)
    const isOneByte = (rawOffset & flagMasks.oneByte) !== 0
    const pieceStart = isOneByte ? (rawOffset & ~flagMasks.oneByte) / 2 : rawOffset
    const to = pieceStart + characterCount * (isOneByte ? 1 : 2)
    if (characterCount < 0 || to > mainStream.length) throw new FileRefusal('wordDamaged')
    return isOneByte
      ? decodeLatin1(mainStream, pieceStart, to)
      : utf16Decoder.decode(mainStream.subarray(pieceStart, to))
  })
  return pieceTexts.join('')
}

const fieldMarks = { begin: '\u0013', separator: '\u0014', end: '\u0015' }

/** An instruction is the text from a begin mark to the next mark. */
export const listFieldInstructions = (text: string): string[] =>
  text
    .split(fieldMarks.begin)
    .slice(1)
    .map((rest) => rest.split(fieldMarks.separator)[0]?.split(fieldMarks.end)[0] ?? '')

/** DDE starts another program, or fetches data from it, when the document is opened. */
export const isProgramInstruction = (instruction: string): boolean =>
  /^\s*dde(?:auto)?\b/i.test(instruction)
