import { decodeLatin1, toDataView } from './bytes'
import { FileRefusal } from './refusal'

/** Offsets in the document header ([MS-DOC] 2.5): the flags, and the position and length of the piece table. */
const headerOffsets = { flags: 0x0a, pieces: 0x1a2, piecesLength: 0x1a6 }

/** `secondTable`: the piece table is in the stream `1Table`. `oneByte`: the text of a piece has one byte per character. */
const flagMasks = { secondTable: 0x0200, oneByte: 0x40000000 }

const decoder = new TextDecoder('utf-16le')

/** Returns the piece table of a block, which formatting data can precede ([MS-DOC] 2.9.38). */
function findPieceTable(block: Uint8Array): Uint8Array {
  const view = toDataView(block)
  let at = 0
  while (view.getUint8(at) === 1) at += 3 + view.getUint16(at + 1, true)
  if (view.getUint8(at) !== 2) throw new FileRefusal('wordDamaged')
  return block.subarray(at + 5, at + 5 + view.getUint32(at + 1, true))
}

/**
 * Returns the text of an old Word document. The text is stored in pieces that are not in reading order; the piece table lists them in that
 * order. `readStream` returns the bytes of a stream by its name.
 */
export function readDocText(main: Uint8Array, readStream: (name: string) => Uint8Array | null): string {
  const headerView = toDataView(main)
  const table = readStream((headerView.getUint16(headerOffsets.flags, true) & flagMasks.secondTable) === 0 ? '0Table' : '1Table')
  const [start, length] = [headerView.getUint32(headerOffsets.pieces, true), headerView.getUint32(headerOffsets.piecesLength, true)]
  if (!table || length === 0 || start + length > table.length) throw new FileRefusal('wordDamaged')
  const pieces = findPieceTable(table.subarray(start, start + length))
  const view = toDataView(pieces)
  const count = Math.floor((pieces.length - 4) / 12)
  const texts = Array.from({ length: count }, (_, index) => {
    const characters = view.getUint32(4 * index + 4, true) - view.getUint32(4 * index, true)
    const rawOffset = view.getUint32(4 * (count + 1) + 8 * index + 2, true)
    const isOneByte = (rawOffset & flagMasks.oneByte) !== 0
    const from = isOneByte ? (rawOffset & ~flagMasks.oneByte) / 2 : rawOffset
    const to = from + characters * (isOneByte ? 1 : 2)
    if (characters < 0 || to > main.length) throw new FileRefusal('wordDamaged')
    return isOneByte ? decodeLatin1(main, from, to) : decoder.decode(main.subarray(from, to))
  })
  return texts.join('')
}

const fieldMarks = { begin: '\u0013', separator: '\u0014', end: '\u0015' }

/** Returns the instructions of the fields in a text. An instruction is the text from a begin mark to the next mark. */
export const listFieldInstructions = (text: string): string[] =>
  text
    .split(fieldMarks.begin)
    .slice(1)
    .map((rest) => rest.split(fieldMarks.separator)[0]?.split(fieldMarks.end)[0] ?? '')

/** True if the instruction of a field fetches data from another program, or starts it, when the document is opened. */
export const startsProgram = (instruction: string): boolean => /^\s*dde(?:auto)?\b/i.test(instruction)
