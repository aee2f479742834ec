import { PDFDict, PDFName, PDFNumber, type PDFObject, PDFParser, type PDFRef, PDFStream } from '@cantoo/pdf-lib'
import { Refusal } from './refusal'

/** A dictionary's keys and values in their order. A repeated key is in it twice, because readers differ on which value counts. */
export type PdfPairs = readonly (readonly [key: string, value: PDFObject])[]

/** Callbacks for every name and dictionary, at any depth. They throw to refuse the file. */
export type PdfWatch = { name: (text: string) => void; dict: (pairs: PdfPairs) => void }

/** The values of an object or of its beginning. `isWhole` is false if a part of it could not be parsed. */
export type PdfValues = { values: readonly PDFObject[]; isWhole: boolean }

type OpenDict = { key: string; pairs: [string, PDFObject][] }

const ends = ['endobj', 'endstream', 'obj', 'xref', 'trailer', 'startxref'].map((word) =>
  Array.from(word, (letter) => letter.charCodeAt(0)),
)

const pairsOfDict = new WeakMap<PDFDict, PdfPairs>()

/** Keys and values of a parsed dictionary or stream; null for other objects. */
export const pairsOf = (value: PDFObject | undefined): PdfPairs | null => {
  const dict = value instanceof PDFStream ? value.dict : value
  return dict instanceof PDFDict ? (pairsOfDict.get(dict) ?? null) : null
}

export const valuesOf = (pairs: PdfPairs, key: string): PDFObject[] => pairs.filter(([name]) => name === key).map(([, value]) => value)

/** True if the key has one of these names as a value. */
export const isNamed = (pairs: PdfPairs, key: string, names: readonly string[]): boolean =>
  valuesOf(pairs, key).some((value) => value instanceof PDFName && names.includes(value.decodeText()))

/** Parses single objects at any offset, and passes their names and dictionaries to `watch`. */
export class ObjectParser extends PDFParser {
  private readonly watch: PdfWatch
  /** The dictionary that is being parsed; null while one of its values is. */
  private dict: OpenDict | null = null

  constructor(bytes: Uint8Array, watch: PdfWatch) {
    super(bytes)
    this.watch = watch
  }

  get offset(): number {
    return this.bytes.offset()
  }

  moveTo(offset: number): void {
    this.bytes.moveTo(offset)
  }

  /** Parses the values up to the end of an object, as leniently as PDF readers: skips what cannot be parsed. */
  parseValues(): PdfValues {
    const values: PDFObject[] = []
    let isWhole = true
    for (this.skipWhitespaceAndComments(); !this.isAtEnd(); this.skipWhitespaceAndComments()) {
      try {
        values.push(this.parseObject())
      } catch (error) {
        if (error instanceof Refusal || error instanceof RangeError) throw error
        isWhole = false
        this.dict = null
        if (!this.bytes.done()) this.bytes.next()
      }
    }
    return { values, isWhole }
  }

  /** Parses the next integer; NaN if there is none. */
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
    const open: OpenDict = { key: '', pairs: [] }
    this.dict = open
    try {
      const dict = super.parseDict(ref)
      pairsOfDict.set(dict, open.pairs)
      return dict
    } finally {
      this.dict = null
      // Also after an error: readers may accept a dictionary that breaks off.
      this.watch.dict(open.pairs)
    }
  }

  private isAtEnd(): boolean {
    return this.bytes.done() || ends.some((word) => this.matchKeyword(word))
  }
}
