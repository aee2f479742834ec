import {
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFParser,
  type PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'
import { FileRefusal } from './refusal'

/** In order. A repeated key occurs twice, because PDF readers differ in which value they use. */
export type PdfDictPairs = readonly (readonly [key: string, value: PDFObject])[]

/** Called for every name and dictionary at any depth. A callback throws to refuse the file. */
export type PdfParserCallbacks = {
  name: (text: string) => void
  dict: (pairs: PdfDictPairs) => void
}

/** `isWhole` is false if a part of the object could not be parsed. */
export type PdfValues = { values: readonly PDFObject[]; isWhole: boolean }

type OpenDict = { key: string; pairs: [string, PDFObject][] }

const endKeywords = ['endobj', 'endstream', 'obj', 'xref', 'trailer', 'startxref'].map((word) =>
  Array.from(word, (letter) => letter.charCodeAt(0)),
)

const pairsByDict = new WeakMap<PDFDict, PdfDictPairs>()

export const getDictPairs = (value: PDFObject | undefined): PdfDictPairs | null => {
  const dict = value instanceof PDFStream ? value.dict : value
  return dict instanceof PDFDict ? (pairsByDict.get(dict) ?? null) : null
}

export const getDictValues = (pairs: PdfDictPairs, key: string): PDFObject[] =>
  pairs.filter(([name]) => name === key).map(([, value]) => value)

export const hasNameValue = (pairs: PdfDictPairs, key: string, names: readonly string[]): boolean =>
  getDictValues(pairs, key).some(
    (value) => value instanceof PDFName && names.includes(value.decodeText()),
  )

/** Parses single objects at any offset, and passes their names and dictionaries to `watch`. */
export class PdfObjectParser extends PDFParser {
  private readonly watch: PdfParserCallbacks
  /** The dictionary that is being parsed; null while one of its values is being parsed. */
  private dict: OpenDict | null = null

  constructor(bytes: Uint8Array, watch: PdfParserCallbacks) {
    super(bytes)
    this.watch = watch
  }

  get offset(): number {
    return this.bytes.offset()
  }

  moveTo(offset: number): void {
    this.bytes.moveTo(offset)
  }

  /** Parses up to the end of an object. Skips bytes that cannot be parsed, as PDF readers do. */
  parseValues(): PdfValues {
    const values: PDFObject[] = []
    let isWholeObject = true
    for (this.skipWhitespaceAndComments(); !this.isAtEnd(); this.skipWhitespaceAndComments()) {
      try {
        values.push(this.parseObject())
      } catch (error) {
        if (error instanceof FileRefusal || error instanceof RangeError) throw error
        isWholeObject = false
        this.dict = null
        if (!this.bytes.done()) this.bytes.next()
      }
    }
    return { values, isWhole: isWholeObject }
  }

  parseInteger(): number {
    const value = this.parseObject()
    return value instanceof PDFNumber ? value.asNumber() : Number.NaN
  }

  override parseObject(ref?: PDFRef): PDFObject {
    const { dict } = this
    this.dict = null
    const value = super.parseObject(ref)
    this.dict = dict
    dict?.pairs.push([dict.key, value])
    return value
  }

  protected override parseName(): PDFName {
    const name = super.parseName()
    this.watch.name(name.decodeText())
    if (this.dict) this.dict.key = name.decodeText()
    return name
  }

  protected override parseDict(ref?: PDFRef): PDFDict {
    const openDict: OpenDict = { key: '', pairs: [] }
    this.dict = openDict
    try {
      const dict = super.parseDict(ref)
      pairsByDict.set(dict, openDict.pairs)
      return dict
    } finally {
      this.dict = null
      // Runs after an error too: PDF readers may accept an incomplete dictionary.
      this.watch.dict(openDict.pairs)
    }
  }

  private isAtEnd(): boolean {
    return this.bytes.done() || endKeywords.some((word) => this.matchKeyword(word))
  }
}
