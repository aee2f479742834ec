import { deflateSync } from 'node:zlib'
import { type PdfObject, writeObjects, writePdf, writeXref } from './pdf-writer'
import { encodeLatin1, encodeUint16BigEndian, encodeUint32BigEndian, toBytes } from './sample'

/**
 * Returns a file with an incremental update: changed objects are appended, with an offset table
 * that points to the previous table.
 */
export function appendPdfUpdate(file: Buffer, objects: Record<number, PdfObject>): Buffer {
  const previousXrefOffset = /startxref\n(\d+)\n%%EOF\n$/.exec(
    file.subarray(-60).toString('latin1'),
  )?.[1]
  const { bytes, offsets } = writeObjects(objects, file.length)
  return Buffer.concat([
    file,
    bytes,
    writeXref(offsets, `/Root 1 0 R /Prev ${previousXrefOffset}`, file.length + bytes.length),
  ])
}

/** Returns the file with a new offset table, for a file whose objects have moved. */
export function rewriteXref(file: Buffer): Buffer {
  const pdfText = file.toString('latin1')
  const objectOffsets = new Map(
    Array.from(pdfText.matchAll(/(?<=\n)(\d+) 0 obj/g), ({ index, 1: number }) => [
      Number(number),
      index,
    ]),
  )
  const xrefOffset = pdfText.lastIndexOf('xref\r\n0 1')
  return Buffer.concat([
    file.subarray(0, xrefOffset),
    writeXref(objectOffsets, '/Root 1 0 R', xrefOffset),
  ])
}

type XrefRow = readonly [kind: number, first: number, second: number]

/**
 * Returns the offset table of these rows as a stream (ISO 32000-1, 7.5.8), followed by the end of
 * the file.
 */
function writeXrefStream(
  rows: ReadonlyMap<number, XrefRow>,
  number: number,
  at: number,
  trailerEntries: string,
): Buffer {
  const objectNumbers = [...rows.keys(), number]
  const xrefBytes = Buffer.concat(
    objectNumbers.map((key) => encodeXrefRow(rows.get(key) ?? [1, at, 0])),
  )
  const dict = `/Type /XRef /Size ${number + 1} /W [1 4 2] /Index [${objectNumbers.map((key) => `${key} 1`).join(' ')}] /Root 1 0 R ${trailerEntries} /Filter /FlateDecode`
  const { bytes: objectBytes } = writeObjects(
    { [number]: { dict, bytes: deflateSync(xrefBytes) } },
    at,
  )
  return Buffer.concat([objectBytes, encodeLatin1(`startxref\n${at}\n%%EOF\n`)])
}

const encodeXrefRow = ([kind, first, second]: XrefRow) =>
  Buffer.concat([toBytes(kind), encodeUint32BigEndian(first), encodeUint16BigEndian(second)])

type PdfStreamOptions = { type?: string; filter?: string; data?: Uint8Array }

/**
 * Returns a file in which all objects without a stream are in one object stream. `filter: 'none'`
 * leaves that stream uncompressed; `data` replaces its content.
 */
export function writePdfWithObjectStream(
  objects: Record<number, PdfObject>,
  { type = '/Type /ObjStm', filter = '/FlateDecode', data }: PdfStreamOptions = {},
): Buffer {
  const objectEntries = Object.entries(objects).map(
    ([number, object]) => [Number(number), object] as const,
  )
  const objectsToPack = objectEntries.flatMap(([number, object]) =>
    typeof object === 'string' ? [{ number, text: `${object}\n` }] : [],
  )
  const objectsWithStreams = Object.fromEntries(
    objectEntries.filter(([, object]) => typeof object !== 'string'),
  )
  let offset = 0
  const numberOffsetPairs = objectsToPack.map(({ number, text }) => {
    const pair = `${number} ${offset} `
    offset += text.length
    return pair
  })
  const pdfHeader = encodeLatin1('%PDF-1.6\n%\xe2\xe3\xcf\xd3\n')
  const streamContent = encodeLatin1(
    numberOffsetPairs.join('') + objectsToPack.map(({ text }) => text).join(''),
  )
  const bytes = data ?? (filter === 'none' ? streamContent : deflateSync(streamContent))
  const streamObjectNumber = 50
  const dict = `${type} /N ${objectsToPack.length} /First ${numberOffsetPairs.join('').length} ${filter === 'none' ? '' : `/Filter ${filter}`}`
  const writtenObjects = writeObjects(
    { ...objectsWithStreams, [streamObjectNumber]: { dict, bytes } },
    pdfHeader.length,
  )
  const xrefRowByNumber = new Map<number, XrefRow>(
    [...writtenObjects.offsets].map(([number, at]) => [number, [1, at, 0]]),
  )
  for (const [index, { number }] of objectsToPack.entries())
    xrefRowByNumber.set(number, [2, streamObjectNumber, index])
  return Buffer.concat([
    pdfHeader,
    writtenObjects.bytes,
    writeXrefStream(
      xrefRowByNumber,
      streamObjectNumber + 1,
      pdfHeader.length + writtenObjects.bytes.length,
      '',
    ),
  ])
}

/** Returns the same file as `writePdf`, but with its offset table as a stream. */
export function writePdfWithXrefStream(
  objects: Record<number, PdfObject>,
  moreTrailerEntries = '',
): Buffer {
  const pdfBytes = writePdf(objects)
  const xrefStart = pdfBytes.indexOf(toBytes(0x0a, 0x78, 0x72, 0x65, 0x66)) + 1
  const { offsets } = writeObjects(objects, pdfBytes.indexOf('1 0 obj'))
  return Buffer.concat([
    pdfBytes.subarray(0, xrefStart),
    writeXrefStream(
      new Map([...offsets].map(([number, at]) => [number, [1, at, 0] as const])),
      60,
      xrefStart,
      moreTrailerEntries,
    ),
  ])
}
