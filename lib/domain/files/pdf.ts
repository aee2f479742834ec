import { ascii, find, findLast, latin, standsAt } from './bytes'
import { isNamed, isSpace, type PdfDict, PdfLexer, type PdfValue, type PdfWatch, readObject, valuesOf } from './pdf-objects'
import { type ProblemId, Refusal, type Steps } from './refusal'
import { inflateZlib } from './zip'

/** Names that refuse the file wherever they are, in any spelling. */
const banned: ReadonlyMap<string, ProblemId> = new Map<string, ProblemId>([
  ['JavaScript', 'pdfScript'],
  ['JS', 'pdfScript'],
  ['Launch', 'pdfLaunch'],
  ['Encrypt', 'pdfPassword'],
  ['XFA', 'pdfXfa'],
  ['EmbeddedFile', 'pdfAttachment'],
  ['EmbeddedFiles', 'pdfAttachment'],
  ['GoToE', 'pdfAttachment'],
  ['RichMedia', 'pdfMedia'],
  ['RichMediaContent', 'pdfMedia'],
  ['Rendition', 'pdfMedia'],
  ['SubmitForm', 'pdfSends'],
  ['ImportData', 'pdfSends'],
])

const media = ['Movie', 'Sound', 'Screen', '3D']
const scriptLink = /^[\s\0]*(?:javascript|vbscript|data):/i

/** Actions that only navigate within the document. */
const isPlace = (dict: PdfDict) =>
  valuesOf(dict, 'Next').length === 0 &&
  valuesOf(dict, 'S').every((value) => value.kind === 'name' && (value.text === 'GoTo' || value.text === 'Named'))

const holds = (value: PdfValue) => value.kind === 'ref' || (value.kind === 'dict' && value.pairs.length > 0)
const has = (dict: PdfDict, key: string) => valuesOf(dict, key).length > 0

/** Rules for every dictionary. A file specification without embedded bytes only names a file. */
const broken: readonly [(dict: PdfDict) => boolean, ProblemId][] = [
  [(dict) => isNamed(dict, 'Subtype', media) || isNamed(dict, 'S', ['Movie', 'Sound']), 'pdfMedia'],
  [(dict) => valuesOf(dict, 'EF').some(holds) && (has(dict, 'F') || has(dict, 'UF') || has(dict, 'Type')), 'pdfAttachment'],
  [(dict) => valuesOf(dict, 'AA').some(holds), 'pdfOpening'],
  [(dict) => valuesOf(dict, 'URI').some((value) => value.kind === 'string' && scriptLink.test(value.text)), 'pdfScript'],
]

/** Collects facts of a PDF: its required parts, and its open actions. Throws `Refusal` as soon as a rule is broken. */
class PdfRules implements PdfWatch {
  private readonly types = new Set<string>()
  private readonly opens = new Set<number>()
  /** Objects that, as an action, do more than navigate. Null stands for an object of unknown number and matches any. */
  private readonly acting = new Set<number | null>()

  name(text: string): void {
    const problem = banned.get(text)
    if (problem) throw new Refusal(problem)
  }

  dict(dict: PdfDict): void {
    for (const type of ['Catalog', 'Page', 'Pages']) if (isNamed(dict, 'Type', [type])) this.types.add(type)
    for (const [breaks, problem] of broken) if (breaks(dict)) throw new Refusal(problem)
    for (const action of valuesOf(dict, 'OpenAction')) this.opening(action)
  }

  /** Records a numbered object, after its dictionaries were checked. */
  object(number: number | null, [value]: readonly PdfValue[]): void {
    const leads = value?.kind === 'dict' ? isPlace(value) : value?.kind === 'array' || value?.kind === 'name' || value?.kind === 'string'
    if (!leads) this.acting.add(number)
  }

  /** Checks the rules that need the whole file. */
  finish(): void {
    const acts = [...this.opens].some((number) => this.acting.has(number) || this.acting.has(null))
    if (acts) throw new Refusal('pdfOpening')
    if (!this.types.has('Catalog') || !(this.types.has('Page') || this.types.has('Pages'))) throw new Refusal('pdfDamaged')
  }

  private opening(action: PdfValue): void {
    if (action.kind === 'ref') this.opens.add(action.number)
    if (action.kind === 'dict' && !isPlace(action)) throw new Refusal('pdfOpening')
  }
}

/** Maximum unpacked bytes of one object stream and of all, and maximum objects per stream. */
const limits = { stream: 16 * 1024 * 1024, all: 100_000_000, objects: 200_000 }

const words = {
  obj: ascii('obj'),
  trailer: ascii('trailer'),
  endstream: ascii('endstream'),
  eof: ascii('%%EOF'),
  startxref: ascii('startxref'),
}

type Reading = { bytes: Uint8Array; rules: PdfRules; left: { lexed: number; unpacked: number } }

/** Requires `startxref`, and only white space after the last `%%EOF`. */
function checkEnd(bytes: Uint8Array): void {
  const end = findLast(bytes, words.eof)
  if (end === -1 || findLast(bytes, words.startxref) === -1) throw new Refusal('pdfDamaged')
  for (let at = end + words.eof.length; at < bytes.length; at += 1) if (!isSpace(bytes[at])) throw new Refusal('pdfTail')
}

/** True if `obj` at an offset can begin an object: after a number, or after a comment that readers skip. */
function beginsObject(bytes: Uint8Array, at: number): boolean {
  let before = at - 1
  while (isSpace(bytes[before])) before -= 1
  const byte = bytes[before] ?? 0
  if (byte >= 0x30 && byte <= 0x39) return true
  const line = bytes[at - 1] === 10 || bytes[at - 1] === 13
  return (
    line &&
    latin(bytes, before - 256, before + 1)
      .split(/[\r\n]/)
      .at(-1)
      ?.includes('%') === true
  )
}

/** The object number before `obj`; null if it cannot be read. */
function numberBefore(bytes: Uint8Array, at: number): number | null {
  const found = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]*$/.exec(latin(bytes, at - 40, at))
  return found ? Number(found[1]) : null
}

/** Subtracts the bytes read from the allowance. A normal file reads each object once; only a crafted one exceeds it. */
function charge(reading: Reading, length: number): void {
  reading.left.lexed -= length
  if (reading.left.lexed < 0) throw new Refusal('pdfDamaged')
}

function* readAt(
  reading: Reading,
  lexer: PdfLexer,
  number: number | null,
  onlyFirst = false,
): Steps<{ values: readonly PdfValue[]; word: string }> {
  const start = lexer.at
  const object = yield* readObject(lexer, reading.rules, onlyFirst)
  charge(reading, lexer.at - start + 1)
  reading.rules.object(number, object.values)
  return object
}

/** The start of a stream's bytes, after the line with `stream`. */
function streamStart(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 13) return bytes[at + 1] === 10 ? at + 2 : at + 1
  return bytes[at] === 10 ? at + 1 : at
}

/** The bytes of a stream: by its `Length` if that is correct, otherwise up to the next `endstream`. */
function streamBytes(bytes: Uint8Array, dict: PdfDict, start: number): Uint8Array {
  const told = valuesOf(dict, 'Length').map((value) => (value.kind === 'word' ? start + Number(value.text) : Number.NaN))
  const true_ = told.find((end) => {
    let at = end
    while (isSpace(bytes[at])) at += 1
    return standsAt(bytes, words.endstream, at)
  })
  const end = true_ ?? find(bytes, words.endstream, start)
  return bytes.subarray(start, end === -1 ? bytes.length : end)
}

/** Object streams. Not all readers require the type, so the fields are enough. */
const holdsObjects = (dict: PdfDict) =>
  isNamed(dict, 'Type', ['ObjStm']) || (valuesOf(dict, 'N').length > 0 && valuesOf(dict, 'First').length > 0)

const isPlain = (value: PdfValue): boolean =>
  (value.kind === 'word' && value.text === 'null') ||
  (value.kind === 'array' && value.items.every(isPlain)) ||
  (value.kind === 'dict' && value.pairs.every(([key, inner]) => key !== 'Predictor' || (inner.kind === 'word' && inner.text === '1')))

/** The filters of an object stream. Refuses parameters no producer writes, as they cannot be read here. */
function filtersOf(dict: PdfDict): string[] {
  const values = [...valuesOf(dict, 'Filter'), ...valuesOf(dict, 'F')].flatMap((value) => (value.kind === 'array' ? value.items : [value]))
  const parameters = [...valuesOf(dict, 'DecodeParms'), ...valuesOf(dict, 'DP')]
  if (!parameters.every(isPlain)) throw new Refusal('pdfDamaged')
  return values.map((value) => (value.kind === 'name' ? value.text : ''))
}

function* unpackObjects(reading: Reading, dict: PdfDict, data: Uint8Array): Steps<Uint8Array> {
  const filters = filtersOf(dict)
  if (filters.length === 0) return data
  if (filters.length > 1 || !/^Fl(?:ateDecode)?$/.test(filters[0] ?? '')) throw new Refusal('pdfDamaged')
  const most = Math.min(limits.stream, reading.left.unpacked)
  const unpacked = yield* inflateZlib(data, { most, tooMuch: 'pdfDamaged', damaged: 'pdfDamaged' })
  reading.left.unpacked -= unpacked.length
  reading.left.lexed += 3 * unpacked.length
  return unpacked
}

const numberIn = (dict: PdfDict, key: string) => {
  const [value, ...more] = valuesOf(dict, key)
  const number = value?.kind === 'word' ? Number(value.text) : Number.NaN
  if (more.length > 0 || !Number.isSafeInteger(number) || number < 0) throw new Refusal('pdfDamaged')
  return number
}

/** Reads the objects of an object stream (ISO 32000-1, 7.5.7), at the offsets of the stream's own table. */
function* readObjectStream(reading: Reading, dict: PdfDict, data: Uint8Array): Steps {
  const inner = yield* unpackObjects(reading, dict, data)
  const [count, first] = [numberIn(dict, 'N'), numberIn(dict, 'First')]
  if (count > limits.objects || first > inner.length) throw new Refusal('pdfDamaged')
  const table = new PdfLexer(inner, 0, first)
  for (let index = 0; index < count; index += 1) {
    const [number, offset] = [Number(table.next().text), Number(table.next().text)]
    if (!Number.isSafeInteger(number) || !Number.isSafeInteger(offset) || first + offset > inner.length) throw new Refusal('pdfDamaged')
    yield* readAt(reading, new PdfLexer(inner, first + offset), number, true)
  }
}

function* readNumbered(reading: Reading, at: number): Steps {
  const { bytes } = reading
  const lexer = new PdfLexer(bytes, at + words.obj.length)
  const { values, word } = yield* readAt(reading, lexer, numberBefore(bytes, at))
  const dict = values.at(-1)
  if (word !== 'stream' || dict?.kind !== 'dict' || !holdsObjects(dict)) return
  yield* readObjectStream(reading, dict, streamBytes(bytes, dict, streamStart(bytes, lexer.at)))
}

/**
 * Reads every object of a PDF wherever it is: in order, in an older version of the file, inside another object's bytes, or in an object
 * stream. Readers that use the offset table, and those that scan for objects, find no others.
 */
export function* checkPdf(bytes: Uint8Array): Steps {
  checkEnd(bytes)
  const reading: Reading = { bytes, rules: new PdfRules(), left: { lexed: 3 * bytes.length + 1_000_000, unpacked: limits.all } }
  for (let at = find(bytes, words.obj); at !== -1; at = find(bytes, words.obj, at + 1)) {
    if (!beginsObject(bytes, at)) continue
    yield* readNumbered(reading, at)
    yield
  }
  for (let at = find(bytes, words.trailer); at !== -1; at = find(bytes, words.trailer, at + 1)) {
    yield* readAt(reading, new PdfLexer(bytes, at + words.trailer.length), -1, true)
    yield
  }
  reading.rules.finish()
}
