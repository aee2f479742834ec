import { Buffer } from 'node:buffer'

/**
 * An object of a PDF: its text, or a dictionary and the bytes of its stream. The writer adds
 * `/Length`.
 */
export type PdfObject = string | { dict: string; bytes: Uint8Array }

type PdfOptions = { version?: string; trailer?: string }

const encodeLatin1 = (text: string) => Buffer.from(text, 'latin1')

function encodeObject(object: PdfObject): Buffer {
  if (typeof object === 'string') return encodeLatin1(object)
  const objectHeader = `<< ${object.dict} /Length ${object.bytes.length} >>\nstream\n`
  return Buffer.concat([encodeLatin1(objectHeader), object.bytes, encodeLatin1('\nendstream')])
}

/**
 * Returns the bytes of the objects, and the offset of each object in a file in which they begin at
 * `start`.
 */
export function writeObjects(
  objects: Record<number, PdfObject>,
  start: number,
): { bytes: Buffer; offsets: Map<number, number> } {
  const offsets = new Map<number, number>()
  const chunks: Buffer[] = []
  let fileOffset = start
  for (const [number, object] of Object.entries(objects)) {
    const objectBytes = Buffer.concat([
      encodeLatin1(`${number} 0 obj\n`),
      encodeObject(object),
      encodeLatin1('\nendobj\n'),
    ])
    offsets.set(Number(number), fileOffset)
    chunks.push(objectBytes)
    fileOffset += objectBytes.length
  }
  return { bytes: Buffer.concat(chunks), offsets }
}

/** Returns an offset table with one section per object, and the trailer at the end of the file. */
export function writeXref(
  offsets: ReadonlyMap<number, number>,
  trailer: string,
  xrefOffset: number,
): Buffer {
  const xrefRows = [...offsets].map(
    ([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`,
  )
  const xrefSize = Math.max(...offsets.keys()) + 1
  const xrefTable = `xref\n0 1\n0000000000 65535 f \n${xrefRows.join('')}trailer\n<< /Size ${xrefSize} ${trailer} >>\n`
  return encodeLatin1(`${xrefTable}startxref\n${xrefOffset}\n%%EOF\n`)
}

/** Returns a PDF with these objects and their offset table. */
export function writePdf(
  objects: Record<number, PdfObject>,
  { version = '1.7', trailer = '/Root 1 0 R' }: PdfOptions = {},
): Buffer {
  const pdfHeader = Buffer.concat([
    encodeLatin1(`%PDF-${version}\n%`),
    Buffer.from([0xe2, 0xe3, 0xcf, 0xd3, 0x0a]),
  ])
  const { bytes, offsets } = writeObjects(objects, pdfHeader.length)
  return Buffer.concat([
    pdfHeader,
    bytes,
    writeXref(offsets, trailer, pdfHeader.length + bytes.length),
  ])
}

/**
 * Returns the objects 1 to 5 of a page with one line of text: catalog, pages, page, content and
 * font.
 */
export function createOnePage(text = 'I authorize this payment.'): Record<number, PdfObject> {
  return {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    4: { dict: '', bytes: encodeLatin1(`BT /F1 18 Tf 72 720 Td (${text}) Tj ET`) },
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  }
}

/**
 * Returns a PDF of one page with exactly `size` bytes (at least 1,200). Most of it is a picture of
 * gray pixels, whose color is `shade`.
 */
export function createPdfOfSize(size: number, shade = 0x80): Buffer {
  const buildPdfWithWidth = (width: number, spaces = 0) => {
    const dict = `/Type /XObject /Subtype /Image /Width ${width} /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8${' '.repeat(spaces)}`
    return writePdf({ ...createOnePage(), 6: { dict, bytes: new Uint8Array(width).fill(shade) } })
  }
  // The file contains its lengths as text, which can grow by a digit. So build a slightly smaller
  // file first, and then pad it with spaces.
  const imageWidth = size - buildPdfWithWidth(1).length - 24
  const paddedPdf = buildPdfWithWidth(imageWidth, size - buildPdfWithWidth(imageWidth).length)
  if (paddedPdf.length !== size) throw new Error(`a PDF of ${size} bytes could not be made`)
  return paddedPdf
}
