import { deflateSync } from 'node:zlib'
import { page } from './pdf-pages'
import { type PdfObject, writePdf } from './pdf-writer'
import { latin } from './sample'

/** An object stream with one object at each of `count` places in its table, which all name the same number. */
function objectStream(count: number, object: string): PdfObject {
  const table = '1 0 '.repeat(count)
  const dict = `/Type /ObjStm /N ${count} /First ${table.length} /Filter /FlateDecode`
  return { dict, bytes: deflateSync(latin(table + object)) }
}

/** A small PDF whose objects take long to read: 15 million, in streams that unpack to 60 MB. */
export const slowPdf = (): Buffer =>
  writePdf({ ...page, ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [at + 10, objectStream(150_000, 'null')])) })

/** A small PDF with an object that takes hundreds of megabytes when it is read: an array of seven million numbers. */
export const hugePdf = (): Buffer => writePdf({ ...page, 10: objectStream(1, `[${'1 '.repeat(7_000_000)}]`) })
