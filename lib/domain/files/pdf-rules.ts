import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib'
import {
  getDictPairs,
  getDictValues,
  hasNameValue,
  type PdfDictPairs,
  type PdfParserCallbacks,
} from './pdf-parser'
import { FileRefusal, type ProblemId } from './refusal'

/** A name here is refused anywhere in a file. The parser has already decoded escaped spellings. */
const problemByPdfName: ReadonlyMap<string, ProblemId> = new Map<string, ProblemId>([
  ['Encrypt', 'pdfPassword'],
  ['JavaScript', 'pdfScript'],
  ['JS', 'pdfScript'],
  ['Launch', 'pdfLaunch'],
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

const mediaTypes = ['Movie', 'Sound', 'Screen', '3D']
const scriptLinkPattern = /^[\s\0]*(?:javascript|vbscript|data):/i

const isNavigationAction = (pairs: PdfDictPairs): boolean =>
  getDictValues(pairs, 'Next').length === 0 &&
  getDictValues(pairs, 'S').every(
    (value) => value instanceof PDFName && ['GoTo', 'Named'].includes(value.decodeText()),
  )

const isText = (value: PDFObject) => value instanceof PDFString || value instanceof PDFHexString
const hasContent = (value: PDFObject) =>
  value instanceof PDFRef || (value instanceof PDFDict && value.keys().length > 0)
const hasDictKey = (pairs: PdfDictPairs, key: string) => getDictValues(pairs, key).length > 0

/**
 * If a condition is true for a dictionary, the file is refused with that problem. A file
 * specification is allowed if it only names a file and embeds no bytes.
 */
const dictionaryRules: readonly [(pairs: PdfDictPairs) => boolean, ProblemId][] = [
  [
    (pairs) =>
      hasNameValue(pairs, 'Subtype', mediaTypes) || hasNameValue(pairs, 'S', ['Movie', 'Sound']),
    'pdfMedia',
  ],
  [
    (pairs) =>
      getDictValues(pairs, 'EF').some(hasContent) &&
      (hasDictKey(pairs, 'F') || hasDictKey(pairs, 'UF') || hasDictKey(pairs, 'Type')),
    'pdfAttachment',
  ],
  [(pairs) => getDictValues(pairs, 'AA').some(hasContent), 'pdfOpening'],
  [
    (pairs) =>
      getDictValues(pairs, 'URI').some(
        (value) => isText(value) && scriptLinkPattern.test(value.decodeText()),
      ),
    'pdfScript',
  ],
]

/** Throws `FileRefusal` when a rule is broken. `mayBeLocked` allows the names of encryption. */
export class PdfRules implements PdfParserCallbacks {
  private readonly mayBeLocked: boolean
  private readonly types = new Set<string>()
  private readonly opens = new Set<number>()
  /**
   * The numbers of objects that would do more than navigate if they run as an action. Null stands
   * for an object without a known number, which could be any action.
   */
  private readonly acting = new Set<number | null>()

  constructor(mayBeLocked: boolean) {
    this.mayBeLocked = mayBeLocked
  }

  name(text: string): void {
    const problem = problemByPdfName.get(text)
    if (problem && !(this.mayBeLocked && problem === 'pdfPassword')) throw new FileRefusal(problem)
  }

  dict(pairs: PdfDictPairs): void {
    for (const type of ['Catalog', 'Page', 'Pages'])
      if (hasNameValue(pairs, 'Type', [type])) this.types.add(type)
    for (const [breaks, problem] of dictionaryRules)
      if (breaks(pairs)) throw new FileRefusal(problem)
    for (const action of getDictValues(pairs, 'OpenAction')) this.opening(action)
  }

  /**
   * Stores the number of an object that would do more than navigate as an action. `dict` has
   * already checked the dictionaries in the object.
   */
  object(number: number | null, value: PDFObject | undefined): void {
    const pairs = value instanceof PDFDict ? getDictPairs(value) : null
    const isHarmless = pairs
      ? isNavigationAction(pairs)
      : value instanceof PDFArray ||
        value instanceof PDFName ||
        (value !== undefined && isText(value))
    if (!isHarmless) this.acting.add(number)
  }

  /** Checks the rules that need the whole file. Call it after the last object. */
  finish(): void {
    const hasActionOnOpening = [...this.opens].some(
      (number) => this.acting.has(number) || this.acting.has(null),
    )
    if (hasActionOnOpening) throw new FileRefusal('pdfOpening')
    if (!this.types.has('Catalog') || !(this.types.has('Page') || this.types.has('Pages')))
      throw new FileRefusal('pdfDamaged')
  }

  private opening(action: PDFObject): void {
    if (action instanceof PDFRef) this.opens.add(action.objectNumber)
    const pairs = getDictPairs(action)
    if (pairs && !isNavigationAction(pairs)) throw new FileRefusal('pdfOpening')
  }
}
