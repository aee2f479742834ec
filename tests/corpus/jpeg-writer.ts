import { encodeLatin1, encodeUint16BigEndian, toBytes } from './sample'

/** Returns a marker segment, including its length. */
export const writeSegment = (marker: number, data: Uint8Array = new Uint8Array()): Buffer =>
  Buffer.concat([toBytes(0xff, marker), encodeUint16BigEndian(data.length + 2), data])

export const startMarker: Buffer = toBytes(0xff, 0xd8)
export const endMarker: Buffer = toBytes(0xff, 0xd9)

export type JpegOptions = {
  width?: number
  height?: number
  components?: number
  frame?: number
  restart?: number
}

/**
 * Returns the segment of a Huffman table with a single code, of one bit. The code means a
 * difference of zero (DC table) or the end of a block (AC table). A picture of one even gray needs
 * no other code.
 */
const writeHuffmanTable = (id: number) =>
  writeSegment(0xc4, toBytes(id, 1, ...Array.from({ length: 15 }, () => 0), 0))

const writeZeroBits = (bitCount: number) => {
  const packedBits = Buffer.alloc(Math.ceil(bitCount / 8))
  if (bitCount % 8 > 0) packedBits[packedBits.length - 1] = 255 >> (bitCount % 8)
  return packedBits
}

function writeScan(
  components: readonly number[],
  [from, to]: readonly [number, number],
  data: Uint8Array,
): Buffer {
  return Buffer.concat([
    writeSegment(
      0xda,
      toBytes(components.length, ...components.flatMap((id) => [id, 0]), from, to, 0),
    ),
    data,
  ])
}

function writeScans({
  width = 64,
  height = 48,
  components = 3,
  frame = 0xc0,
  restart = 0,
}: JpegOptions): Buffer {
  const componentIds = Array.from({ length: components }, (_, index) => index + 1)
  const blockCount = Math.ceil(width / 8) * Math.ceil(height / 8)
  if (frame === 0xc2) {
    return Buffer.concat([
      writeScan(componentIds, [0, 0], writeZeroBits(blockCount * components)),
      ...componentIds.map((id) => writeScan([id], [1, 63], writeZeroBits(blockCount))),
    ])
  }
  if (restart === 0)
    return writeScan(componentIds, [0, 63], writeZeroBits(blockCount * components * 2))
  const restartSegments = Array.from({ length: Math.ceil(blockCount / restart) }, (_, run) => {
    const blocksInSegment = Math.min(restart, blockCount - run * restart)
    return [
      writeZeroBits(blocksInSegment * components * 2),
      run * restart + blocksInSegment < blockCount
        ? toBytes(0xff, 0xd0 + (run % 8))
        : Buffer.alloc(0),
    ]
  })
  return Buffer.concat([
    writeScan(componentIds, [0, 63], Buffer.alloc(0)),
    ...restartSegments.flat(),
  ])
}

/**
 * Returns a picture of one even gray, with `segments` after the start marker. `frame` is 0xc0
 * (baseline) or 0xc2 (progressive). Four `components` are CMYK. `restart` is the number of blocks
 * between restart markers; 0 means none.
 */
export function writeJpeg(
  options: JpegOptions = {},
  segments: readonly Uint8Array[] = [
    writeSegment(0xe0, encodeLatin1('JFIF\0\x01\x02\0\0\x01\0\x01\0\0')),
  ],
): Buffer {
  const { width = 64, height = 48, components = 3, frame = 0xc0, restart = 0 } = options
  const componentSpecs = Array.from({ length: components }, (_, index) => [
    index + 1,
    0x11,
    0,
  ]).flat()
  return Buffer.concat([
    startMarker,
    ...segments,
    writeSegment(0xdb, toBytes(0, ...Array.from({ length: 64 }, () => 1))),
    writeSegment(
      frame,
      Buffer.concat([
        toBytes(8),
        encodeUint16BigEndian(height),
        encodeUint16BigEndian(width),
        toBytes(components, ...componentSpecs),
      ]),
    ),
    writeHuffmanTable(0x00),
    writeHuffmanTable(0x10),
    ...(restart > 0 ? [writeSegment(0xdd, encodeUint16BigEndian(restart))] : []),
    writeScans(options),
    endMarker,
  ])
}
