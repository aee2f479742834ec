import { encodeLatin1, toBytes, u16be } from './sample'

/** Returns a marker segment, including its length. */
export const writeSegment = (marker: number, data: Uint8Array = new Uint8Array()): Buffer =>
  Buffer.concat([toBytes(0xff, marker), u16be(data.length + 2), data])

export const startMarker: Buffer = toBytes(0xff, 0xd8)
export const endMarker: Buffer = toBytes(0xff, 0xd9)

export type JpegOptions = { width?: number; height?: number; components?: number; frame?: number; restart?: number }

/**
 * Returns a Huffman table with a single code of one bit, for a difference of zero or the end of a block. A gray picture needs no other
 * code.
 */
const writeHuffmanTable = (id: number) => writeSegment(0xc4, toBytes(id, 1, ...Array.from({ length: 15 }, () => 0), 0))

const writeZeroBits = (bits: number) => {
  const data = Buffer.alloc(Math.ceil(bits / 8))
  if (bits % 8 > 0) data[data.length - 1] = 255 >> (bits % 8)
  return data
}

function writeScan(components: readonly number[], [from, to]: readonly [number, number], data: Uint8Array): Buffer {
  return Buffer.concat([writeSegment(0xda, toBytes(components.length, ...components.flatMap((id) => [id, 0]), from, to, 0)), data])
}

function writeScans({ width = 64, height = 48, components = 3, frame = 0xc0, restart = 0 }: JpegOptions): Buffer {
  const ids = Array.from({ length: components }, (_, index) => index + 1)
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  if (frame === 0xc2) {
    return Buffer.concat([
      writeScan(ids, [0, 0], writeZeroBits(blocks * components)),
      ...ids.map((id) => writeScan([id], [1, 63], writeZeroBits(blocks))),
    ])
  }
  if (restart === 0) return writeScan(ids, [0, 63], writeZeroBits(blocks * components * 2))
  const runs = Array.from({ length: Math.ceil(blocks / restart) }, (_, run) => {
    const length = Math.min(restart, blocks - run * restart)
    return [writeZeroBits(length * components * 2), run * restart + length < blocks ? toBytes(0xff, 0xd0 + (run % 8)) : Buffer.alloc(0)]
  })
  return Buffer.concat([writeScan(ids, [0, 63], Buffer.alloc(0)), ...runs.flat()])
}

/** Returns a gray picture with `segments` after its start. `frame` C0 is baseline and C2 is progressive; four components are CMYK. */
export function writeJpeg(
  photo: JpegOptions = {},
  segments: readonly Uint8Array[] = [writeSegment(0xe0, encodeLatin1('JFIF\0\x01\x02\0\0\x01\0\x01\0\0'))],
): Buffer {
  const { width = 64, height = 48, components = 3, frame = 0xc0, restart = 0 } = photo
  const componentSpecs = Array.from({ length: components }, (_, index) => [index + 1, 0x11, 0]).flat()
  return Buffer.concat([
    startMarker,
    ...segments,
    writeSegment(0xdb, toBytes(0, ...Array.from({ length: 64 }, () => 1))),
    writeSegment(frame, Buffer.concat([toBytes(8), u16be(height), u16be(width), toBytes(components, ...componentSpecs)])),
    writeHuffmanTable(0x00),
    writeHuffmanTable(0x10),
    ...(restart > 0 ? [writeSegment(0xdd, u16be(restart))] : []),
    writeScans(photo),
    endMarker,
  ])
}
