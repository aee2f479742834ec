import { deflateSync } from 'node:zlib'
import { onePageObjects } from './pdf-pages'
import { type PdfObject, writePdf } from './pdf-writer'
import { encodeLatin1 } from './sample'

/** Returns an object stream whose table lists the same object number `count` times. */
function createObjectStream(count: number, object: string): PdfObject {
  const objectTable = '1 0 '.repeat(count)
  const dict = `/Type /ObjStm /N ${count} /First ${objectTable.length} /Filter /FlateDecode`
  return { dict, bytes: deflateSync(encodeLatin1(objectTable + object)) }
}

/**
 * Returns a small PDF that takes long to read: its streams unpack to 60 MB and contain 15 million
 * objects.
 */
export const createSlowPdf = (): Buffer =>
  writePdf({
    ...onePageObjects,
    ...Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [at + 10, createObjectStream(150_000, 'null')]),
    ),
  })

/**
 * Returns a small PDF with an object that needs hundreds of megabytes of memory when it is read: an
 * array of seven million numbers.
 */
export const createHugePdf = (): Buffer =>
  writePdf({ ...onePageObjects, 10: createObjectStream(1, `[${'1 '.repeat(7_000_000)}]`) })
