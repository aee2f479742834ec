import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { decodeLatin1, findBytes, findLastBytes, toAsciiBytes } from './bytes'
import {
  getDictPairs,
  getDictValues,
  hasNameValue,
  type PdfDictPairs,
  PdfObjectParser,
} from './pdf-parser'
import { PdfRules } from './pdf-rules'
import { FileRefusal, type PausableCheck } from './refusal'
import { inflateZlib } from './zip'

/**
 * `stream`, `all`: the most unpacked bytes of one object stream, and of all object streams
 * together. `objects`: the most objects in one object stream.
 */
const pdfLimits = { stream: 16 * 1024 * 1024, all: 100_000_000, objects: 200_000 }

const pdfKeywords = {
  obj: toAsciiBytes('obj'),
  trailer: toAsciiBytes('trailer'),
  eof: toAsciiBytes('%%EOF'),
  startxref: toAsciiBytes('startxref'),
  encrypt: toAsciiBytes('/Encrypt'),
}

/** `locked`: encrypted, not decrypted. `opened`: the decrypted copy of an encrypted file. */
type PdfLockState = 'none' | 'locked' | 'opened'

/**
 * `parsedTo` is the end of the last parsed object. The word `obj` before that offset is inside a
 * string or stream, perhaps by chance. If `isLocked`, object streams are encrypted.
 */
type PdfCheckState = {
  bytes: Uint8Array
  rules: PdfRules
  isLocked: boolean
  isDamaged: boolean
  parsedTo: number
  /** The numbers of the top-level objects. Used for encrypted files only. */
  numbers: Set<number | null>
  left: { parsed: number; unpacked: number }
}

const isSpace = (byte: number | undefined): boolean =>
  byte !== undefined && [0, 9, 10, 12, 13, 32].includes(byte)

function checkFileEnd(bytes: Uint8Array): void {
  const eofOffset = findLastBytes(bytes, pdfKeywords.eof)
  if (eofOffset === -1 || findLastBytes(bytes, pdfKeywords.startxref) === -1)
    throw new FileRefusal('pdfDamaged')
  for (let at = eofOffset + pdfKeywords.eof.length; at < bytes.length; at += 1)
    if (!isSpace(bytes[at])) throw new FileRefusal('pdfTail')
}

/** The word `obj` begins an object after a number, or after a comment, which PDF readers skip. */
function isObjectStart(bytes: Uint8Array, at: number): boolean {
  let previousOffset = at - 1
  while (isSpace(bytes[previousOffset])) previousOffset -= 1
  const previousByte = bytes[previousOffset] ?? 0
  if (previousByte >= 0x30 && previousByte <= 0x39) return true
  const isAtLineStart = bytes[at - 1] === 10 || bytes[at - 1] === 13
  return (
    isAtLineStart &&
    decodeLatin1(bytes, previousOffset - 256, previousOffset + 1)
      .split(/[\r\n]/)
      .at(-1)
      ?.includes('%') === true
  )
}

function readObjectNumber(bytes: Uint8Array, at: number): number | null {
  const numberMatch = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]*$/.exec(
    decodeLatin1(bytes, at - 40, at),
  )
  return numberMatch ? Number(numberMatch[1]) : null
}

/** A normal file is parsed about once; only a crafted file exceeds the allowance. */
function spendParseAllowance(checkState: PdfCheckState, length: number): void {
  checkState.left.parsed -= length
  if (checkState.left.parsed < 0) throw new FileRefusal('pdfDamaged')
}

/**
 * True for an object stream. `N` and `First` are enough, because not all PDF readers need the type.
 */
const hasObjectStreamKeys = (pairs: PdfDictPairs) =>
  hasNameValue(pairs, 'Type', ['ObjStm']) ||
  (getDictValues(pairs, 'N').length > 0 && getDictValues(pairs, 'First').length > 0)

const toValueArray = (value: PDFObject) => (value instanceof PDFArray ? value.asArray() : [value])

const isSupportedFilterParameter = (value: PDFObject): boolean =>
  value === PDFNull ||
  (value instanceof PDFArray && value.asArray().every(isSupportedFilterParameter)) ||
  (value instanceof PDFDict &&
    getDictValues(getDictPairs(value) ?? [], 'Predictor').every(
      (one) => one instanceof PDFNumber && one.asNumber() === 1,
    ))

/** Refuses filter parameters: they are not supported here, and no PDF producer writes them. */
function readFilters(pairs: PdfDictPairs): string[] {
  const filterParameters = [...getDictValues(pairs, 'DecodeParms'), ...getDictValues(pairs, 'DP')]
  if (!filterParameters.every(isSupportedFilterParameter)) throw new FileRefusal('pdfDamaged')
  const filters = [...getDictValues(pairs, 'Filter'), ...getDictValues(pairs, 'F')].flatMap(
    toValueArray,
  )
  return filters.map((value) => (value instanceof PDFName ? value.decodeText() : ''))
}

function* unpackObjects(
  checkState: PdfCheckState,
  pairs: PdfDictPairs,
  data: Uint8Array,
): PausableCheck<Uint8Array> {
  const streamFilters = readFilters(pairs)
  if (streamFilters.length === 0) return data
  if (streamFilters.length > 1 || !/^Fl(?:ateDecode)?$/.test(streamFilters[0] ?? ''))
    throw new FileRefusal('pdfDamaged')
  const maxBytes = Math.min(pdfLimits.stream, checkState.left.unpacked)
  const unpacked = yield* inflateZlib(data, {
    most: maxBytes,
    tooMuch: 'pdfDamaged',
    damaged: 'pdfDamaged',
  })
  checkState.left.unpacked -= unpacked.length
  checkState.left.parsed += 3 * unpacked.length
  return unpacked
}

const readDictNumber = (pairs: PdfDictPairs, key: string) => {
  const [value, ...more] = getDictValues(pairs, key)
  const number = value instanceof PDFNumber ? value.asNumber() : Number.NaN
  if (more.length > 0 || !Number.isSafeInteger(number) || number < 0)
    throw new FileRefusal('pdfDamaged')
  return number
}

/** If the object cannot be parsed, throws the error of the library. */
function parseAndCheckObject(
  checkState: PdfCheckState,
  parser: PdfObjectParser,
  offset: number,
  number: number,
): void {
  parser.moveTo(offset)
  const value = parser.parseObject()
  spendParseAllowance(checkState, parser.offset - offset + 1)
  checkState.rules.object(number, value)
}

/** ISO 32000-1, 7.5.7: the table at the start has the numbers and offsets of the objects. */
function* readObjectStream(
  checkState: PdfCheckState,
  pairs: PdfDictPairs,
  data: Uint8Array,
): PausableCheck {
  const unpackedBytes = yield* unpackObjects(checkState, pairs, data)
  const [objectCount, firstOffset] = [readDictNumber(pairs, 'N'), readDictNumber(pairs, 'First')]
  if (objectCount > pdfLimits.objects || firstOffset > unpackedBytes.length)
    throw new FileRefusal('pdfDamaged')
  const tableParser = new PdfObjectParser(unpackedBytes.subarray(0, firstOffset), checkState.rules)
  const objectParser = new PdfObjectParser(unpackedBytes, checkState.rules)
  for (let index = 0; index < objectCount; index += 1) {
    const [number, offset] = [tableParser.parseInteger(), tableParser.parseInteger()]
    if (
      !Number.isSafeInteger(number) ||
      !Number.isSafeInteger(offset) ||
      firstOffset + offset > unpackedBytes.length
    )
      throw new FileRefusal('pdfDamaged')
    parseAndCheckObject(checkState, objectParser, firstOffset + offset, number)
    yield
  }
}

/**
 * Refuses an encrypted file in which the library and a PDF reader could decrypt different objects:
 * two objects with the same number, or an object stream inside another object.
 */
function refuseAmbiguousObject(
  checkState: PdfCheckState,
  number: number | null,
  isInside: boolean,
  isStream: boolean,
): void {
  if (isInside ? isStream : checkState.numbers.has(number)) throw new FileRefusal('pdfPassword')
  if (!isInside) checkState.numbers.add(number)
}

/** Reads a numbered object. `at` is the offset of its keyword `obj`. */
function* readNumberedObject(
  checkState: PdfCheckState,
  parser: PdfObjectParser,
  at: number,
): PausableCheck {
  const isInsideObject = at < checkState.parsedTo
  parser.moveTo(at + pdfKeywords.obj.length)
  const { values, isWhole } = parser.parseValues()
  spendParseAllowance(checkState, parser.offset - at)
  if (!isWhole && !isInsideObject) checkState.isDamaged = true
  if (isWhole) checkState.parsedTo = Math.max(checkState.parsedTo, parser.offset)
  const objectNumber = readObjectNumber(checkState.bytes, at)
  checkState.rules.object(objectNumber, values[0])
  const rawStream = values.find((value) => value instanceof PDFRawStream)
  const pairs = getDictPairs(rawStream)
  const isObjectStream = pairs !== null && hasObjectStreamKeys(pairs)
  if (checkState.isLocked)
    refuseAmbiguousObject(checkState, objectNumber, isInsideObject, isObjectStream)
  else if (rawStream && isObjectStream)
    yield* readObjectStream(checkState, pairs, rawStream.getContents())
}

/** Inside an object the word `trailer` can be ordinary text: a parse error is ignored there. */
function checkTrailer(checkState: PdfCheckState, parser: PdfObjectParser, at: number): void {
  try {
    parseAndCheckObject(checkState, parser, at + pdfKeywords.trailer.length, -1)
  } catch (error) {
    if (error instanceof FileRefusal || at >= checkState.parsedTo) throw error
  }
}

/**
 * Checks every object of a PDF: in the main sequence, in an older version of the file, inside
 * another object, or in an object stream. PDF readers find objects by the offset table or by a
 * scan, and in no other place. Skips the object streams of a locked file, because they are
 * encrypted.
 */
export function* checkPdf(bytes: Uint8Array, lock: PdfLockState = 'none'): PausableCheck {
  const isLocked = lock === 'locked'
  checkFileEnd(bytes)
  const initialAllowance = { parsed: 3 * bytes.length + 1_000_000, unpacked: pdfLimits.all }
  const checkState: PdfCheckState = {
    bytes,
    rules: new PdfRules(lock !== 'none'),
    isLocked,
    isDamaged: false,
    parsedTo: 0,
    numbers: new Set(),
    left: initialAllowance,
  }
  const fileParser = new PdfObjectParser(bytes, checkState.rules)
  for (
    let at = findBytes(bytes, pdfKeywords.obj);
    at !== -1;
    at = findBytes(bytes, pdfKeywords.obj, at + 1)
  ) {
    if (!isObjectStart(bytes, at)) continue
    yield* readNumberedObject(checkState, fileParser, at)
    yield
  }
  for (
    let at = findBytes(bytes, pdfKeywords.trailer);
    at !== -1;
    at = findBytes(bytes, pdfKeywords.trailer, at + 1)
  ) {
    checkTrailer(checkState, fileParser, at)
    yield
  }
  if (checkState.isDamaged) throw new FileRefusal('pdfDamaged')
  if (!isLocked) checkState.rules.finish()
}

/** Null for a file that is not encrypted. Throws if the file does not open without a password. */
export async function unlockPdf(bytes: Uint8Array): Promise<Uint8Array | null> {
  if (findBytes(bytes, pdfKeywords.encrypt) === -1) return null
  try {
    const loadedDocument = await PDFDocument.load(bytes, {
      password: '',
      updateMetadata: false,
      preserveXFA: true,
    })
    if (!loadedDocument.context.isDecrypted) return null
    return await loadedDocument.save({
      useObjectStreams: false,
      addDefaultPage: false,
      updateFieldAppearances: false,
    })
  } catch {
    throw new FileRefusal('pdfPassword')
  }
}
