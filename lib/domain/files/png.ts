import { crc32, latin, viewOf } from './bytes'
import { refuseProgram } from './foreign'
import { Refusal, type Steps } from './refusal'

/** The most pixels a picture may have. */
export const mostPixels = 50_000_000

/** Bits of a sample that each color type may have (PNG specification, table 11.1). */
const depths: Record<number, readonly number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] }

type Chunk = { type: string; start: number; end: number }

function checkHeader(view: DataView, { type, start, end }: Chunk): number {
  const [width, height] = [view.getUint32(start), view.getUint32(start + 4)]
  const [depth, color] = [view.getUint8(start + 8), view.getUint8(start + 9)]
  const [compression, filter, interlace] = [view.getUint8(start + 10), view.getUint8(start + 11), view.getUint8(start + 12)]
  const known = type === 'IHDR' && end - start === 13 && depths[color]?.includes(depth)
  if (!known || compression !== 0 || filter !== 0 || interlace > 1) throw new Refusal('pictureDamaged')
  if (width === 0 || height === 0) throw new Refusal('pictureDamaged')
  if (width * height > mostPixels) throw new Refusal('picturePixels')
  return color
}

function chunkAt(bytes: Uint8Array, view: DataView, at: number): Chunk {
  const start = at + 8
  const end = start + view.getUint32(at)
  const type = latin(bytes, at + 4, start)
  if (!/^[A-Za-z]{4}$/.test(type) || end + 4 > bytes.length) throw new Refusal('pictureDamaged')
  return { type, start, end }
}

/** The order of chunks, as far as a reader depends on it: pixels in one run, a palette where one is needed. */
function checkOrder(types: readonly string[], color: number): void {
  const [first, last] = [types.indexOf('IDAT'), types.lastIndexOf('IDAT')]
  const run = first !== -1 && types.slice(first, last + 1).every((type) => type === 'IDAT')
  const palette = color !== 3 || (types.includes('PLTE') && types.indexOf('PLTE') < first)
  if (!run || !palette || types.lastIndexOf('IHDR') !== 0) throw new Refusal('pictureDamaged')
}

/** Walks the chunks of a PNG: sound checksums, a size within the limit, and nothing behind the last one. */
export function* checkPng(bytes: Uint8Array): Steps {
  const view = viewOf(bytes)
  const types: string[] = []
  let color = 0
  let at = 8
  while (types.at(-1) !== 'IEND') {
    const chunk = chunkAt(bytes, view, at)
    if (at === 8) color = checkHeader(view, chunk)
    if (crc32(bytes.subarray(at + 4, chunk.end)) !== view.getUint32(chunk.end)) throw new Refusal('pictureDamaged')
    if (chunk.type === 'IEND' && chunk.end !== chunk.start) throw new Refusal('pictureTail')
    types.push(chunk.type)
    at = chunk.end + 4
    yield
  }
  if (at !== bytes.length) throw new Refusal('pictureTail')
  checkOrder(types, color)
  yield* refuseProgram(bytes)
}
