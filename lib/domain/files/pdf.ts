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
import { getDictPairs, getValues, hasNameValue, ObjectParser, type PdfPairs } from './pdf-parser'
import { PdfRules } from './pdf-rules'
import { type CheckSteps, FileRefusal } from './refusal'
import { inflateZlib } from './zip'

/**
 * `stream`, `all`: the most unpacked bytes of one object stream, and of all object streams
 * together. `objects`: the most objects in one object stream.
 */
const pdfLimits = { stream: 16 * 1024 * 1024, all: 100_000_000, objects: 200_000 }

const keywords = {
  obj: toAsciiBytes('obj'),
  trailer: toAsciiBytes('trailer'),
  eof: toAsciiBytes('%%EOF'),
  startxref: toAsciiBytes('startxref'),
  encrypt: toAsciiBytes('/Encrypt'),
}

/** `locked`: encrypted, not decrypted. `opened`: the decrypted copy of an encrypted file. */
type LockState = 'none' | 'locked' | 'opened'

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
  const eofOffset = findLastBytes(bytes, keywords.eof)
  if (eofOffset === -1 || findLastBytes(bytes, keywords.startxref) === -1)
    throw new FileRefusal('pdfDamaged')
  for (let at = eofOffset + keywords.eof.length; at < bytes.length; at += 1)
    if (!isSpace(bytes[at])) throw new FileRefusal('pdfTail')
}

/** The word `obj` begins an object after a number, or after a comment, which PDF readers skip. */
function beginsObject(bytes: Uint8Array, at: number): boolean {
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
function spendAllowance(checkState: PdfCheckState, length: number): void {
  checkState.left.parsed -= length
  if (checkState.left.parsed < 0) throw new FileRefusal('pdfDamaged')
}

/**
 * True for an object stream. `N` and `First` are enough, because not all PDF readers need the type.
 */
const hasObjectStreamKeys = (pairs: PdfPairs) =>
  hasNameValue(pairs, 'Type', ['ObjStm']) ||
  (getValues(pairs, 'N').length > 0 && getValues(pairs, 'First').length > 0)

const toValueArray = (value: PDFObject) => (value instanceof PDFArray ? value.asArray() : [value])

const isSupportedParameter = (value: PDFObject): boolean =>
  value === PDFNull ||
  (value instanceof PDFArray && value.asArray().every(isSupportedParameter)) ||
  (value instanceof PDFDict &&
    getValues(getDictPairs(value) ?? [], 'Predictor').every(
      (one) => one instanceof PDFNumber && one.asNumber() === 1,
    ))

/** Refuses filter parameters: they are not supported here, and no PDF producer writes them. */
function readFilters(pairs: PdfPairs): string[] {
  const parameters = [...getValues(pairs, 'DecodeParms'), ...getValues(pairs, 'DP')]
  if (!parameters.every(isSupportedParameter)) throw new FileRefusal('pdfDamaged')
  const filters = [...getValues(pairs, 'Filter'), ...getValues(pairs, 'F')].flatMap(toValueArray)
  return filters.map((value) => (value instanceof PDFName ? value.decodeText() : ''))
}

function* unpackObjects(
  checkState: PdfCheckState,
  pairs: PdfPairs,
  data: Uint8Array,
): CheckSteps<Uint8Array> {
  const filters = readFilters(pairs)
  if (filters.length === 0) return data
  if (filters.length > 1 || !/^Fl(?:ateDecode)?$/.test(filters[0] ?? ''))
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

const readNumber = (pairs: PdfPairs, key: string) => {
  const [value, ...more] = getValues(pairs, key)
  const number = value instanceof PDFNumber ? value.asNumber() : Number.NaN
  if (more.length > 0 || !Number.isSafeInteger(number) || number < 0)
    throw new FileRefusal('pdfDamaged')
  return number
}

/** If the object cannot be parsed, throws the error of the library. */
function readObject(
  checkState: PdfCheckState,
  parser: ObjectParser,
  offset: number,
  number: number,
): void {
  parser.moveTo(offset)
  const value = parser.parseObject()
  spendAllowance(checkState, parser.offset - offset + 1)
  checkState.rules.object(number, value)
}

/** ISO 32000-1, 7.5.7: the table at the start has the numbers and offsets of the objects. */
function* readObjectStream(
  checkState: PdfCheckState,
  pairs: PdfPairs,
  data: Uint8Array,
): CheckSteps {
  const unpackedBytes = yield* unpackObjects(checkState, pairs, data)
  const [objectCount, firstOffset] = [readNumber(pairs, 'N'), readNumber(pairs, 'First')]
  if (objectCount > pdfLimits.objects || firstOffset > unpackedBytes.length)
    throw new FileRefusal('pdfDamaged')
  const tableParser = new ObjectParser(unpackedBytes.subarray(0, firstOffset), checkState.rules)
  const objectParser = new ObjectParser(unpackedBytes, checkState.rules)
  for (let index = 0; index < objectCount; index += 1) {
    const [number, offset] = [tableParser.parseInteger(), tableParser.parseInteger()]
    if (
      !Number.isSafeInteger(number) ||
      !Number.isSafeInteger(offset) ||
      firstOffset + offset > unpackedBytes.length
    )
      throw new FileRefusal('pdfDamaged')
    readObject(checkState, objectParser, firstOffset + offset, number)
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
  parser: ObjectParser,
  at: number,
): CheckSteps {
  const isInsideObject = at < checkState.parsedTo
  parser.moveTo(at + keywords.obj.length)
  const { values, isWhole } = parser.parseValues()
  spendAllowance(checkState, parser.offset - at)
  if (!isWhole && !isInsideObject) checkState.isDamaged = true
  if (isWhole) checkState.parsedTo = Math.max(checkState.parsedTo, parser.offset)
  const objectNumber = readObjectNumber(checkState.bytes, at)
  checkState.rules.object(objectNumber, values[0])
  const stream = values.find((value) => value instanceof PDFRawStream)
  const pairs = getDictPairs(stream)
  const isObjectStream = pairs !== null && hasObjectStreamKeys(pairs)
  if (checkState.isLocked)
    refuseAmbiguousObject(checkState, objectNumber, isInsideObject, isObjectStream)
  else if (stream && isObjectStream)
    yield* readObjectStream(checkState, pairs, stream.getContents())
}

/** Inside an object the word `trailer` can be ordinary text: a parse error is ignored there. */
function readTrailer(checkState: PdfCheckState, parser: ObjectParser, at: number): void {
  try {
    readObject(checkState, parser, at + keywords.trailer.length, -1)
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
export function* checkPdf(bytes: Uint8Array, lock: LockState = 'none'): CheckSteps {
  const isLocked = lock === 'locked'
  checkFileEnd(bytes)
  const budget = { parsed: 3 * bytes.length + 1_000_000, unpacked: pdfLimits.all }
  const checkState: PdfCheckState = {
    bytes,
    rules: new PdfRules(lock !== 'none'),
    isLocked,
    isDamaged: false,
    parsedTo: 0,
    numbers: new Set(),
    left: budget,
  }
  const parser = new ObjectParser(bytes, checkState.rules)
  for (
    let at = findBytes(bytes, keywords.obj);
    at !== -1;
    at = findBytes(bytes, keywords.obj, at + 1)
  ) {
    if (!beginsObject(bytes, at)) continue
    yield* readNumberedObject(checkState, parser, at)
    yield
  }
  for (
    let at = findBytes(bytes, keywords.trailer);
    at !== -1;
    at = findBytes(bytes, keywords.trailer, at + 1)
  ) {
    readTrailer(checkState, parser, at)
    yield
  }
  if (checkState.isDamaged) throw new FileRefusal('pdfDamaged')
  if (!isLocked) checkState.rules.finish()
}

/** Null for a file that is not encrypted. Throws if the file does not open without a password. */
export async function unlockPdf(bytes: Uint8Array): Promise<Uint8Array | null> {
  if (findBytes(bytes, keywords.encrypt) === -1) return null
  try {
    const document = await PDFDocument.load(bytes, {
      password: '',
      updateMetadata: false,
      preserveXFA: true,
    })
    if (!document.context.isDecrypted) return null
    return await document.save({
      useObjectStreams: false,
      addDefaultPage: false,
      updateFieldAppearances: false,
    })
  } catch {
    throw new FileRefusal('pdfPassword')
  }
}
