import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNull, PDFNumber, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib'
import { decodeLatin1, findBytes, findLastBytes, toAsciiBytes } from './bytes'
import { getPairs, getValues, hasNameValue, ObjectParser, type PdfPairs } from './pdf-parser'
import { PdfRules } from './pdf-rules'
import { type CheckSteps, FileRefusal } from './refusal'
import { inflateZlib } from './zip'

/** Maximum unpacked bytes of one object stream and of all, and maximum objects per stream. */
const pdfLimits = { stream: 16 * 1024 * 1024, all: 100_000_000, objects: 200_000 }

const keywords = {
  obj: toAsciiBytes('obj'),
  trailer: toAsciiBytes('trailer'),
  eof: toAsciiBytes('%%EOF'),
  startxref: toAsciiBytes('startxref'),
  encrypt: toAsciiBytes('/Encrypt'),
}

/** `none`: a file without encryption. `locked`: an encrypted file as it is. `opened`: the decrypted copy of an encrypted file. */
type LockState = 'none' | 'locked' | 'opened'

/**
 * The state of a check. `parsedTo` is the end of the last parsed object: a match of `obj` before it is inside a string or a stream, perhaps
 * by chance. `isLocked` is true if object streams are encrypted, `isDamaged` if an object could not be parsed.
 */
type PdfReading = {
  bytes: Uint8Array
  rules: PdfRules
  isLocked: boolean
  isDamaged: boolean
  parsedTo: number
  /** The numbers of the top-level objects. Used for encrypted files only. */
  numbers: Set<number | null>
  left: { parsed: number; unpacked: number }
}

const isSpace = (byte: number | undefined): boolean => byte !== undefined && [0, 9, 10, 12, 13, 32].includes(byte)

/** Requires `startxref`, and only white space after the last `%%EOF`. */
function checkEnd(bytes: Uint8Array): void {
  const end = findLastBytes(bytes, keywords.eof)
  if (end === -1 || findLastBytes(bytes, keywords.startxref) === -1) throw new FileRefusal('pdfDamaged')
  for (let at = end + keywords.eof.length; at < bytes.length; at += 1) if (!isSpace(bytes[at])) throw new FileRefusal('pdfTail')
}

/** True if `obj` at an offset can begin an object: it follows a number, or a comment, which readers skip. */
function beginsObject(bytes: Uint8Array, at: number): boolean {
  let before = at - 1
  while (isSpace(bytes[before])) before -= 1
  const byte = bytes[before] ?? 0
  if (byte >= 0x30 && byte <= 0x39) return true
  const line = bytes[at - 1] === 10 || bytes[at - 1] === 13
  return (
    line &&
    decodeLatin1(bytes, before - 256, before + 1)
      .split(/[\r\n]/)
      .at(-1)
      ?.includes('%') === true
  )
}

/** The object number before `obj`; null if it cannot be read. */
function readObjectNumber(bytes: Uint8Array, at: number): number | null {
  const numberMatch = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]*$/.exec(decodeLatin1(bytes, at - 40, at))
  return numberMatch ? Number(numberMatch[1]) : null
}

/** Subtracts the bytes read from the allowance. A normal file reads each object once; only a crafted file exceeds the allowance. */
function spendAllowance(reading: PdfReading, length: number): void {
  reading.left.parsed -= length
  if (reading.left.parsed < 0) throw new FileRefusal('pdfDamaged')
}

/** True for object streams. The fields are enough, because not all readers require the type. */
const hasObjectStreamKeys = (pairs: PdfPairs) =>
  hasNameValue(pairs, 'Type', ['ObjStm']) || (getValues(pairs, 'N').length > 0 && getValues(pairs, 'First').length > 0)

const toItems = (value: PDFObject) => (value instanceof PDFArray ? value.asArray() : [value])

const isPlain = (value: PDFObject): boolean =>
  value === PDFNull ||
  (value instanceof PDFArray && value.asArray().every(isPlain)) ||
  (value instanceof PDFDict &&
    getValues(getPairs(value) ?? [], 'Predictor').every((one) => one instanceof PDFNumber && one.asNumber() === 1))

/** Returns the filters of an object stream. Refuses filter parameters that no PDF producer writes, because they are not supported here. */
function readFilters(pairs: PdfPairs): string[] {
  const parameters = [...getValues(pairs, 'DecodeParms'), ...getValues(pairs, 'DP')]
  if (!parameters.every(isPlain)) throw new FileRefusal('pdfDamaged')
  const filters = [...getValues(pairs, 'Filter'), ...getValues(pairs, 'F')].flatMap(toItems)
  return filters.map((value) => (value instanceof PDFName ? value.decodeText() : ''))
}

function* unpackObjects(reading: PdfReading, pairs: PdfPairs, data: Uint8Array): CheckSteps<Uint8Array> {
  const filters = readFilters(pairs)
  if (filters.length === 0) return data
  if (filters.length > 1 || !/^Fl(?:ateDecode)?$/.test(filters[0] ?? '')) throw new FileRefusal('pdfDamaged')
  const maxBytes = Math.min(pdfLimits.stream, reading.left.unpacked)
  const unpacked = yield* inflateZlib(data, { most: maxBytes, tooMuch: 'pdfDamaged', damaged: 'pdfDamaged' })
  reading.left.unpacked -= unpacked.length
  reading.left.parsed += 3 * unpacked.length
  return unpacked
}

const readNumber = (pairs: PdfPairs, key: string) => {
  const [value, ...more] = getValues(pairs, key)
  const number = value instanceof PDFNumber ? value.asNumber() : Number.NaN
  if (more.length > 0 || !Number.isSafeInteger(number) || number < 0) throw new FileRefusal('pdfDamaged')
  return number
}

/** Reads one object at an offset. Throws an error of the library if it cannot be parsed. */
function readObject(reading: PdfReading, parser: ObjectParser, offset: number, number: number): void {
  parser.moveTo(offset)
  const value = parser.parseObject()
  spendAllowance(reading, parser.offset - offset + 1)
  reading.rules.object(number, value)
}

/** Reads the objects of an object stream (ISO 32000-1, 7.5.7), at the offsets of the stream's own table. */
function* readObjectStream(reading: PdfReading, pairs: PdfPairs, data: Uint8Array): CheckSteps {
  const inner = yield* unpackObjects(reading, pairs, data)
  const [count, first] = [readNumber(pairs, 'N'), readNumber(pairs, 'First')]
  if (count > pdfLimits.objects || first > inner.length) throw new FileRefusal('pdfDamaged')
  const table = new ObjectParser(inner.subarray(0, first), reading.rules)
  const objects = new ObjectParser(inner, reading.rules)
  for (let index = 0; index < count; index += 1) {
    const [number, offset] = [table.parseInteger(), table.parseInteger()]
    if (!Number.isSafeInteger(number) || !Number.isSafeInteger(offset) || first + offset > inner.length) throw new FileRefusal('pdfDamaged')
    readObject(reading, objects, first + offset, number)
    yield
  }
}

/**
 * Refuses an encrypted file in which the library and a PDF reader could decrypt different objects: two objects with the same number, or an
 * object stream inside another object.
 */
function requireUnambiguous(reading: PdfReading, number: number | null, isInside: boolean, isStream: boolean): void {
  if (isInside ? isStream : reading.numbers.has(number)) throw new FileRefusal('pdfPassword')
  if (!isInside) reading.numbers.add(number)
}

/** Reads a numbered object. `at` is the offset of its keyword `obj`. */
function* readNumberedObject(reading: PdfReading, parser: ObjectParser, at: number): CheckSteps {
  const isInside = at < reading.parsedTo
  parser.moveTo(at + keywords.obj.length)
  const { values, isWhole } = parser.parseValues()
  spendAllowance(reading, parser.offset - at)
  if (!isWhole && !isInside) reading.isDamaged = true
  if (isWhole) reading.parsedTo = Math.max(reading.parsedTo, parser.offset)
  const number = readObjectNumber(reading.bytes, at)
  reading.rules.object(number, values[0])
  const stream = values.find((value) => value instanceof PDFRawStream)
  const pairs = getPairs(stream)
  const isObjectStream = pairs !== null && hasObjectStreamKeys(pairs)
  if (reading.isLocked) requireUnambiguous(reading, number, isInside, isObjectStream)
  else if (stream && isObjectStream) yield* readObjectStream(reading, pairs, stream.getContents())
}

/** Reads the dictionary after the keyword `trailer`. Inside of an object, the word can also be text; errors are ignored there. */
function readTrailer(reading: PdfReading, parser: ObjectParser, at: number): void {
  try {
    readObject(reading, parser, at + keywords.trailer.length, -1)
  } catch (error) {
    if (error instanceof FileRefusal || at >= reading.parsedTo) throw error
  }
}

/**
 * Checks every object of a PDF wherever it is: in the main sequence, in an older version of the file, inside the bytes of another object,
 * or in an object stream. PDF readers use the offset table or scan for objects; neither finds further ones. Skips the object streams of a
 * locked file, because they are encrypted.
 */
export function* checkPdf(bytes: Uint8Array, lock: LockState = 'none'): CheckSteps {
  const isLocked = lock === 'locked'
  checkEnd(bytes)
  const budget = { parsed: 3 * bytes.length + 1_000_000, unpacked: pdfLimits.all }
  const reading: PdfReading = {
    bytes,
    rules: new PdfRules(lock !== 'none'),
    isLocked,
    isDamaged: false,
    parsedTo: 0,
    numbers: new Set(),
    left: budget,
  }
  const parser = new ObjectParser(bytes, reading.rules)
  for (let at = findBytes(bytes, keywords.obj); at !== -1; at = findBytes(bytes, keywords.obj, at + 1)) {
    if (!beginsObject(bytes, at)) continue
    yield* readNumberedObject(reading, parser, at)
    yield
  }
  for (let at = findBytes(bytes, keywords.trailer); at !== -1; at = findBytes(bytes, keywords.trailer, at + 1)) {
    readTrailer(reading, parser, at)
    yield
  }
  if (reading.isDamaged) throw new FileRefusal('pdfDamaged')
  if (!isLocked) reading.rules.finish()
}

/** Returns a decrypted copy of an encrypted file that opens without a password; null for a file that is not encrypted. */
export async function unlockPdf(bytes: Uint8Array): Promise<Uint8Array | null> {
  if (findBytes(bytes, keywords.encrypt) === -1) return null
  try {
    const document = await PDFDocument.load(bytes, { password: '', updateMetadata: false, preserveXFA: true })
    if (!document.context.isDecrypted) return null
    return await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
  } catch {
    throw new FileRefusal('pdfPassword')
  }
}
