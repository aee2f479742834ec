import { latin, viewOf } from './bytes'
import { refuseProgram } from './foreign'
import { mostPixels } from './png'
import { Refusal, type Steps } from './refusal'

const startOfScan = 0xda
const endOfImage = 0xd9

/** Markers that begin a frame: all SOFn, which leaves out DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Markers without a length: TEM, the restarts and a second SOI. None of them stands between segments. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

function checkFrame(view: DataView, at: number): void {
  const [height, width, components] = [view.getUint16(at + 5), view.getUint16(at + 7), view.getUint8(at + 9)]
  if (height === 0 || width === 0 || components < 1 || components > 4) throw new Refusal('pictureDamaged')
  if (view.getUint16(at + 2) !== 8 + 3 * components) throw new Refusal('pictureDamaged')
  if (height * width > mostPixels) throw new Refusal('picturePixels')
}

/** The offset of the next marker's second byte; FF may be repeated in front of it. */
function markerAt(view: DataView, at: number): number {
  if (view.getUint8(at) !== 0xff) throw new Refusal('pictureDamaged')
  let next = at + 1
  while (view.getUint8(next) === 0xff) next += 1
  return next
}

/** The end of compressed data: the first FF that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  throw new Refusal('pictureDamaged')
}

/** A marker between segments: the offset of its second byte, and the length of what it begins. */
type Segment = { at: number; marker: number; length: number }

function segmentAt(view: DataView, from: number): Segment {
  const at = markerAt(view, from)
  const marker = view.getUint8(at)
  if (marker === endOfImage) return { at, marker, length: 0 }
  const length = view.getUint16(at + 1)
  if (isBare(marker) || marker < 0xc0 || length < 2) throw new Refusal('pictureDamaged')
  return { at, marker, length }
}

/** Walks one image from its SOI and gives the offset behind its EOI. */
function* walkImage(bytes: Uint8Array, start: number): Steps<number> {
  const view = viewOf(bytes)
  const seen = { frames: 0, scans: 0 }
  let segment = segmentAt(view, start + 2)
  while (segment.marker !== endOfImage) {
    let next = segment.at + 1 + segment.length
    if (isFrame(segment.marker)) {
      checkFrame(view, segment.at - 1)
      seen.frames += 1
    }
    if (segment.marker === startOfScan) {
      seen.scans += seen.frames
      next = endOfScan(bytes, next)
    }
    segment = segmentAt(view, next)
    yield
  }
  if (seen.frames !== 1 || seen.scans === 0) throw new Refusal('pictureDamaged')
  return segment.at + 1
}

/** The records Samsung's phones put behind a picture (its time, its scene): a directory at the end whose entries fill the rest. */
function isPhoneRecord(bytes: Uint8Array, from: number): boolean {
  const end = bytes.length
  if (end - from > 64 * 1024 || end - from < 20 || latin(bytes, end - 4) !== 'SEFT') return false
  const view = viewOf(bytes)
  const head = end - 8 - view.getUint32(end - 8, true)
  if (head < from || latin(bytes, head, head + 4) !== 'SEFH') return false
  const count = view.getUint32(head + 8, true)
  if (head + 12 + 12 * count !== end - 8) return false
  let length = 0
  for (let entry = 0; entry < count; entry += 1) length += view.getUint32(head + 12 + 12 * entry + 8, true)
  return head - length === from
}

function skipPadding(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] === 0 || bytes[at] === 0xff || bytes[at] === 0x0a || bytes[at] === 0x0d)) {
    // An FF that begins the next image is no padding.
    if (bytes[at] === 0xff && bytes[at + 1] === 0xd8) return at
    at += 1
  }
  return at
}

/**
 * Walks a JPEG marker by marker to its end. Behind it may stand padding, what Samsung's phones write there, and further whole images: phones
 * keep previews and brightness maps so (CIPA DC-007). Everything else is refused.
 */
export function* checkJpeg(bytes: Uint8Array): Steps {
  let at = yield* walkImage(bytes, 0)
  while (at < bytes.length && !isPhoneRecord(bytes, at)) {
    at = skipPadding(bytes, at)
    if (at === bytes.length) break
    if (bytes[at] !== 0xff || bytes[at + 1] !== 0xd8) throw new Refusal('pictureTail')
    at = yield* walkImage(bytes, at)
  }
  yield* refuseProgram(bytes)
}
