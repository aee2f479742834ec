import {
  computeCrc32,
  decodeLatin1,
  findBytes,
  findLastBytes,
  toAsciiBytes,
  toDataView,
} from './bytes'
import { FileRefusal, type PausableCheck } from './refusal'

const zipEndSignature = toAsciiBytes('PK\x05\x06')
const zipDirectorySignature = 0x02014b50
const pdfSignature = toAsciiBytes('%PDF-')

/** `<?=` must precede plain text, because the three bytes occur by chance in 10 % of photos. */
const embeddedProgramPattern =
  /<\?php|<\?=\s?[\x20-\x7e]{6}|<script[\s>/]|<html[\s>]|<!doctype\s+html|<iframe[\s>]|<svg[\s>]/i

/** Searches the end record backward, as zip readers do. Returns -1 if there is no archive. */
function findZipDirectory(bytes: Uint8Array): number {
  const at = findLastBytes(bytes, zipEndSignature, Math.max(0, bytes.length - 22 - 0xffff))
  if (at === -1 || at + 22 > bytes.length) return -1
  const view = toDataView(bytes)
  const directoryOffset = at - view.getUint32(at + 12, true)
  return directoryOffset >= 0 &&
    directoryOffset < at &&
    view.getUint32(directoryOffset, true) === zipDirectorySignature
    ? directoryOffset
    : -1
}

/** Refuses a file that is also valid as a zip archive (at its end) or a PDF (at its start). */
export function refuseSecondFormat(bytes: Uint8Array, kind: string): void {
  if (kind !== 'docx' && findZipDirectory(bytes) !== -1) throw new FileRefusal('twoKinds')
  // PDF readers search for the header in the first kilobyte.
  if (kind !== 'pdf' && findBytes(bytes, pdfSignature, 0, 1024 + pdfSignature.length) !== -1)
    throw new FileRefusal('twoKinds')
}

/** Reads overlapping pieces, so that a large picture is not one large string. */
function* refuseEmbeddedProgram(bytes: Uint8Array): PausableCheck {
  const pieceLength = 64 * 1024
  for (let at = 0; at < bytes.length; at += pieceLength) {
    if (embeddedProgramPattern.test(decodeLatin1(bytes, at, at + pieceLength + 32)))
      throw new FileRefusal('pictureScript')
    yield
  }
}

const maxPixels = 50_000_000

/** Allowed bit depths by color type (PNG specification, table 11.1). */
const allowedBitDepths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

type PngChunk = { type: string; start: number; end: number }

function readPngColorType(view: DataView, { type, start, end }: PngChunk): number {
  const [width, height] = [view.getUint32(start), view.getUint32(start + 4)]
  const [depth, colorType] = [view.getUint8(start + 8), view.getUint8(start + 9)]
  const [compression, filter, interlace] = [
    view.getUint8(start + 10),
    view.getUint8(start + 11),
    view.getUint8(start + 12),
  ]
  const isValidHeader =
    type === 'IHDR' && end - start === 13 && allowedBitDepths[colorType]?.includes(depth)
  if (!isValidHeader || compression !== 0 || filter !== 0 || interlace > 1)
    throw new FileRefusal('pictureDamaged')
  if (width === 0 || height === 0) throw new FileRefusal('pictureDamaged')
  if (width * height > maxPixels) throw new FileRefusal('picturePixels')
  return colorType
}

function readChunk(bytes: Uint8Array, view: DataView, at: number): PngChunk {
  const start = at + 8
  const end = start + view.getUint32(at)
  const type = decodeLatin1(bytes, at + 4, start)
  if (!/^[A-Za-z]{4}$/.test(type) || end + 4 > bytes.length) throw new FileRefusal('pictureDamaged')
  return { type, start, end }
}

/** Readers need contiguous pixel data, after a palette if one is required. */
function checkChunkOrder(chunkTypes: readonly string[], pngColorType: number): void {
  const [first, last] = [chunkTypes.indexOf('IDAT'), chunkTypes.lastIndexOf('IDAT')]
  const isContiguous =
    first !== -1 && chunkTypes.slice(first, last + 1).every((type) => type === 'IDAT')
  const hasRequiredPalette =
    pngColorType !== 3 || (chunkTypes.includes('PLTE') && chunkTypes.indexOf('PLTE') < first)
  if (!isContiguous || !hasRequiredPalette || chunkTypes.lastIndexOf('IHDR') !== 0)
    throw new FileRefusal('pictureDamaged')
}

export function* checkPng(bytes: Uint8Array): PausableCheck {
  const view = toDataView(bytes)
  const chunkTypes: string[] = []
  let pngColorType = 0
  let chunkOffset = 8
  while (chunkTypes.at(-1) !== 'IEND') {
    const pngChunk = readChunk(bytes, view, chunkOffset)
    if (chunkOffset === 8) pngColorType = readPngColorType(view, pngChunk)
    if (
      computeCrc32(bytes.subarray(chunkOffset + 4, pngChunk.end)) !== view.getUint32(pngChunk.end)
    )
      throw new FileRefusal('pictureDamaged')
    if (pngChunk.type === 'IEND' && pngChunk.end !== pngChunk.start)
      throw new FileRefusal('pictureTail')
    chunkTypes.push(pngChunk.type)
    chunkOffset = pngChunk.end + 4
    yield
  }
  if (chunkOffset !== bytes.length) throw new FileRefusal('pictureTail')
  checkChunkOrder(chunkTypes, pngColorType)
  yield* refuseEmbeddedProgram(bytes)
}

const startOfScan = 0xda
const endOfImage = 0xd9

/** True for the markers that start a frame: all SOFn, but not DHT (C4), JPG (C8) and DAC (CC). */
const isFrameMarker = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** True for the markers TEM, restart and a second SOI, which are invalid between segments. */
const isMarkerWithoutLength = (marker: number) =>
  marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

function checkJpegFrame(view: DataView, at: number): void {
  const [height, width, components] = [
    view.getUint16(at + 5),
    view.getUint16(at + 7),
    view.getUint8(at + 9),
  ]
  if (height === 0 || width === 0 || components < 1 || components > 4)
    throw new FileRefusal('pictureDamaged')
  if (view.getUint16(at + 2) !== 8 + 3 * components) throw new FileRefusal('pictureDamaged')
  if (height * width > maxPixels) throw new FileRefusal('picturePixels')
}

/** Returns the offset of the marker's second byte. The first byte, FF, can be repeated. */
function findMarker(view: DataView, at: number): number {
  if (view.getUint8(at) !== 0xff) throw new FileRefusal('pictureDamaged')
  let markerOffset = at + 1
  while (view.getUint8(markerOffset) === 0xff) markerOffset += 1
  return markerOffset
}

/**
 * Returns the offset of the first FF that is neither a stuffed byte nor part of a restart marker.
 */
function findScanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const nextByte = bytes[at + 1] ?? 0
    if (nextByte !== 0 && nextByte !== 0xff && (nextByte < 0xd0 || nextByte > 0xd7)) return at
  }
  throw new FileRefusal('pictureDamaged')
}

/** A segment of a JPEG. `at` is the offset of its marker's second byte. */
type JpegSegment = { at: number; marker: number; length: number }

function readSegment(view: DataView, from: number): JpegSegment {
  const at = findMarker(view, from)
  const marker = view.getUint8(at)
  if (marker === endOfImage) return { at, marker, length: 0 }
  const length = view.getUint16(at + 1)
  if (isMarkerWithoutLength(marker) || marker < 0xc0 || length < 2)
    throw new FileRefusal('pictureDamaged')
  return { at, marker, length }
}

/** `start` is at the start marker (SOI). Returns the offset after the end marker (EOI). */
function* checkJpegImage(bytes: Uint8Array, start: number): PausableCheck<number> {
  const view = toDataView(bytes)
  const frameAndScanCounts = { frames: 0, scans: 0 }
  let segment = readSegment(view, start + 2)
  while (segment.marker !== endOfImage) {
    let nextOffset = segment.at + 1 + segment.length
    if (isFrameMarker(segment.marker)) {
      checkJpegFrame(view, segment.at - 1)
      frameAndScanCounts.frames += 1
    }
    if (segment.marker === startOfScan) {
      frameAndScanCounts.scans += frameAndScanCounts.frames
      nextOffset = findScanEnd(bytes, nextOffset)
    }
    segment = readSegment(view, nextOffset)
    yield
  }
  if (frameAndScanCounts.frames !== 1 || frameAndScanCounts.scans === 0)
    throw new FileRefusal('pictureDamaged')
  return segment.at + 1
}

/**
 * True if the rest of the file is the records (time, scene) that Samsung phones append to a
 * picture, with a directory at their end. The lengths in the directory must account for all bytes
 * between `from` and the directory.
 */
function isSamsungTrailer(bytes: Uint8Array, from: number): boolean {
  const fileEnd = bytes.length
  if (
    fileEnd - from > 64 * 1024 ||
    fileEnd - from < 20 ||
    decodeLatin1(bytes, fileEnd - 4) !== 'SEFT'
  )
    return false
  const view = toDataView(bytes)
  const directoryStart = fileEnd - 8 - view.getUint32(fileEnd - 8, true)
  if (directoryStart < from || decodeLatin1(bytes, directoryStart, directoryStart + 4) !== 'SEFH')
    return false
  const recordCount = view.getUint32(directoryStart + 8, true)
  if (directoryStart + 12 + 12 * recordCount !== fileEnd - 8) return false
  let recordsLength = 0
  for (let entry = 0; entry < recordCount; entry += 1)
    recordsLength += view.getUint32(directoryStart + 12 + 12 * entry + 8, true)
  return directoryStart - recordsLength === from
}

function skipPadding(bytes: Uint8Array, from: number): number {
  let offset = from
  while (
    offset < bytes.length &&
    (bytes[offset] === 0 ||
      bytes[offset] === 0xff ||
      bytes[offset] === 0x0a ||
      bytes[offset] === 0x0d)
  ) {
    // An FF that begins the next image is not padding.
    if (bytes[offset] === 0xff && bytes[offset + 1] === 0xd8) return offset
    offset += 1
  }
  return offset
}

/**
 * After the image, only padding, Samsung's records and complete images are allowed. Phones store
 * previews and brightness maps as such images (CIPA DC-007).
 */
export function* checkJpeg(bytes: Uint8Array): PausableCheck {
  let imageEnd = yield* checkJpegImage(bytes, 0)
  while (imageEnd < bytes.length && !isSamsungTrailer(bytes, imageEnd)) {
    imageEnd = skipPadding(bytes, imageEnd)
    if (imageEnd === bytes.length) break
    if (bytes[imageEnd] !== 0xff || bytes[imageEnd + 1] !== 0xd8)
      throw new FileRefusal('pictureTail')
    imageEnd = yield* checkJpegImage(bytes, imageEnd)
  }
  yield* refuseEmbeddedProgram(bytes)
}
