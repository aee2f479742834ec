import { deflateSync } from 'node:zlib'
import { computeCrc32 } from '@/lib/domain/files/bytes'
import { encodeLatin1, encodeUint32BigEndian, toBytes } from './sample'

export type PngChunk = { type: string; data?: Uint8Array; crc?: number }

export const pngSignature: Buffer = toBytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

export function writeChunk({ type, data = new Uint8Array(), crc }: PngChunk): Buffer {
  const typeAndData = Buffer.concat([encodeLatin1(type), data])
  return Buffer.concat([
    encodeUint32BigEndian(data.length),
    typeAndData,
    encodeUint32BigEndian(crc ?? computeCrc32(typeAndData)),
  ])
}

const channelCounts: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

export type PngOptions = {
  width?: number
  height?: number
  depth?: number
  color?: number
  interlace?: number
}

/**
 * Returns the header chunk and the pixel chunk of a picture whose pixels are all zero. An
 * interlaced picture has seven passes, each with its own first column and row, and its own steps to
 * the next column and row.
 */
export function createPictureChunks({
  width = 16,
  height = 16,
  depth = 8,
  color = 2,
  interlace = 0,
}: PngOptions = {}): [PngChunk, PngChunk] {
  const headerChunkData = Buffer.concat([
    encodeUint32BigEndian(width),
    encodeUint32BigEndian(height),
    toBytes(depth, color, 0, 0, interlace),
  ])
  const countRowBytes = (pixels: number) =>
    1 + Math.ceil((pixels * depth * (channelCounts[color] ?? 1)) / 8)
  const interlacePasses: readonly (readonly [number, number, number, number])[] = interlace
    ? [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ]
    : [[0, 0, 1, 1]]
  const pixelByteCount = interlacePasses.reduce((sum, [x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return columns > 0 && rows > 0 ? sum + countRowBytes(columns) * rows : sum
  }, 0)
  return [
    { type: 'IHDR', data: headerChunkData },
    { type: 'IDAT', data: deflateSync(Buffer.alloc(pixelByteCount)) },
  ]
}

export const writePng = (chunks: readonly PngChunk[]): Buffer =>
  Buffer.concat([pngSignature, ...chunks.map(writeChunk)])
