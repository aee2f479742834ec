import type { PdfLexer, PdfToken } from './pdf-lexer'
import { Refusal, type Steps } from './refusal'

/** A value, as much of it as rules ask for: of containers what they hold at first, not to any depth. */
export type PdfValue =
  | { kind: 'name' | 'string' | 'word'; text: string }
  | { kind: 'ref'; number: number }
  | { kind: 'array'; items: readonly PdfValue[] }
  | { kind: 'dict'; pairs: readonly (readonly [string, PdfValue])[] }

/** Hears of every name and of every dictionary, at any depth. Throws to refuse the file. */
export type PdfWatch = { name: (text: string) => void; dict: (dict: PdfDict) => void }

/** A dictionary. A key that is there twice is there twice here: readers differ on which one counts. */
export type PdfDict = Extract<PdfValue, { kind: 'dict' }>

/** Values of a key. */
export const valuesOf = (dict: PdfDict, key: string): PdfValue[] => dict.pairs.filter(([name]) => name === key).map(([, value]) => value)

/** Whether a key has this name as its value. */
export const isNamed = (dict: PdfDict, key: string, names: readonly string[]): boolean =>
  valuesOf(dict, key).some((value) => value.kind === 'name' && names.includes(value.text))

const limits = { depth: 200, items: 200_000, arrayItems: 8, tokens: 4096 }
const isInteger = (value: PdfValue | undefined) => value?.kind === 'word' && /^\+?\d{1,10}$/.test(value.text)

type Frame = { opener: string; items: PdfValue[] }

function pairsOf(items: readonly PdfValue[]): (readonly [string, PdfValue])[] {
  const pairs: (readonly [string, PdfValue])[] = []
  for (let at = 0; at < items.length; at += 1) {
    const [key, value] = [items[at], items[at + 1]]
    // What is no name cannot be a key and is passed over, as readers do.
    if (key?.kind !== 'name') continue
    pairs.push([key.text, value ?? { kind: 'word', text: 'null' }])
    at += 1
  }
  return pairs
}

/** Reads values from tokens, iteratively: nesting is an attacker's to choose. */
class Reading {
  readonly values: PdfValue[] = []
  private readonly frames: Frame[] = []
  private readonly watch: PdfWatch

  constructor(watch: PdfWatch) {
    this.watch = watch
  }

  get isOpen(): boolean {
    return this.frames.length > 0
  }

  take({ kind, text }: PdfToken): void {
    if (kind === 'open') this.open(text)
    else if (kind === 'close') this.close()
    else if (kind !== 'end') this.scalar(kind, text)
  }

  /** Closes what was left open. */
  finish(): void {
    while (this.isOpen) this.close()
  }

  private get items(): PdfValue[] {
    return this.frames.at(-1)?.items ?? this.values
  }

  private open(opener: string): void {
    if (this.frames.length >= limits.depth) throw new Refusal('pdfDamaged')
    this.frames.push({ opener, items: [] })
  }

  private close(): void {
    const frame = this.frames.pop()
    if (!frame) return
    if (frame.opener === '[') this.put({ kind: 'array', items: frame.items.slice(0, limits.arrayItems) })
    else this.put(this.seen({ kind: 'dict', pairs: pairsOf(frame.items) }))
  }

  private seen(dict: PdfDict): PdfDict {
    this.watch.dict(dict)
    return dict
  }

  private scalar(kind: 'name' | 'string' | 'word', text: string): void {
    if (kind === 'name') this.watch.name(text)
    if (kind === 'word' && text === 'R' && this.putReference()) return
    this.put({ kind, text })
  }

  private put(value: PdfValue): void {
    const { items } = this
    if (items.length >= limits.items) throw new Refusal('pdfDamaged')
    // Long arrays are widths and offsets: what stands at their end is no longer told from what stood there before.
    if (this.frames.at(-1)?.opener === '[' && items.length >= 2 * limits.arrayItems) items.splice(limits.arrayItems, 1)
    items.push(value)
  }

  private putReference(): boolean {
    const { items } = this
    const [number, generation] = items.slice(-2)
    if (number?.kind !== 'word' || !isInteger(number) || !isInteger(generation)) return false
    items.splice(-2, 2, { kind: 'ref', number: Number(number.text) })
    return true
  }
}

/** What ends an object that is not nested in another. */
const ends = new Set(['endobj', 'endstream', 'stream', 'obj', 'xref', 'trailer', 'startxref'])

/** What was read: its values, and the word that ended it. */
export type PdfObject = { values: readonly PdfValue[]; word: string }

/** Reads values up to the end of an object, or only the first one, and tells `watch` what is in them. */
export function* readObject(lexer: PdfLexer, watch: PdfWatch, onlyFirst = false): Steps<PdfObject> {
  const reading = new Reading(watch)
  const isEnd = ({ kind, text }: PdfToken) => kind === 'end' || (kind === 'word' && !reading.isOpen && ends.has(text))
  const isEnough = () => onlyFirst && !reading.isOpen && reading.values.length > 0
  let token = lexer.next()
  for (let count = 1; !isEnd(token); count += 1) {
    reading.take(token)
    if (isEnough()) return { values: reading.values, word: '' }
    if (count % limits.tokens === 0) yield
    token = lexer.next()
  }
  reading.finish()
  return { values: reading.values, word: token.text }
}
