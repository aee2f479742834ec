import { Refusal, type Steps } from './refusal'

/** A token of PDF syntax. A string keeps only its beginning, unescaped; other text keeps at most 128 characters. */
type PdfToken = { kind: 'name' | 'string' | 'word' | 'open' | 'close' | 'end'; text: string }

const most = 128
const whitespace = new Set([0, 9, 10, 12, 13, 32])
const delimiters = new Set(Array.from('()<>[]{}/%', (letter) => letter.charCodeAt(0)))
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

export const isSpace = (byte: number | undefined): boolean => byte !== undefined && whitespace.has(byte)

const brackets: Record<string, PdfToken['kind']> = { '<<': 'open', '[': 'open', '>>': 'close', ']': 'close' }

const isRegular = (byte: number | undefined) => byte !== undefined && !whitespace.has(byte) && !delimiters.has(byte)
const letter = (byte: number | undefined) => String.fromCharCode(byte ?? 0)

/**
 * Reads tokens (ISO 32000-1, 7.2 and 7.3) as leniently as PDF readers: unknown input is a word, and an unclosed string ends with the bytes.
 */
export class PdfLexer {
  at: number
  private readonly bytes: Uint8Array
  private readonly end: number

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = Math.min(end, bytes.length)
  }

  next(): PdfToken {
    this.skipSpace()
    if (this.at >= this.end) return { kind: 'end', text: '' }
    const first = letter(this.bytes[this.at])
    if (first === '/') return this.name()
    if (first === '(') return this.string()
    if ('<>[]{}'.includes(first)) return this.bracket(first)
    if (first === ')') {
      this.at += 1
      return { kind: 'word', text: ')' }
    }
    return { kind: 'word', text: this.regular() }
  }

  /** Skips white space and comments. */
  private skipSpace(): void {
    while (this.at < this.end) {
      if (this.bytes[this.at] === 0x25) this.skipLine()
      else if (isSpace(this.bytes[this.at])) this.at += 1
      else return
    }
  }

  private skipLine(): void {
    while (this.at < this.end && this.bytes[this.at] !== 10 && this.bytes[this.at] !== 13) this.at += 1
  }

  private regular(): string {
    const start = this.at
    while (this.at < this.end && isRegular(this.bytes[this.at])) this.at += 1
    return String.fromCharCode(...this.bytes.subarray(start, Math.min(this.at, start + most)))
  }

  private name(): PdfToken {
    this.at += 1
    const text = this.regular().replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return { kind: 'name', text }
  }

  private bracket(first: string): PdfToken {
    const doubled = letter(this.bytes[this.at + 1]) === first
    if (first === '<' && !doubled) return this.hexString()
    const text = '<>'.includes(first) && doubled ? first + first : first
    this.at += text.length
    return { kind: brackets[text] ?? 'word', text }
  }

  private hexString(): PdfToken {
    const start = this.at + 1
    const close = this.bytes.indexOf(0x3e, start)
    this.at = close === -1 || close >= this.end ? this.end : close + 1
    const digits = String.fromCharCode(...this.bytes.subarray(start, Math.min(this.at, start + 2 * most))).replace(/[^0-9a-f]/gi, '')
    const text = digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
    return { kind: 'string', text }
  }

  private string(): PdfToken {
    let depth = 0
    let text = ''
    do {
      const byte = letter(this.bytes[this.at])
      if (byte === '\\') {
        text += this.escaped()
        continue
      }
      if (byte === '(') depth += 1
      if (byte === ')') depth -= 1
      if (text.length < most) text += byte
      this.at += 1
    } while (depth > 0 && this.at < this.end)
    return { kind: 'string', text: text.slice(1) }
  }

  private escaped(): string {
    const octal = /^[0-7]{1,3}/.exec(String.fromCharCode(...this.bytes.subarray(this.at + 1, this.at + 4)))?.[0]
    this.at += 1 + (octal?.length ?? 1)
    if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
    const plain = letter(this.bytes[this.at - 1])
    return plain === '\n' || plain === '\r' ? '' : (escapes[plain] ?? plain)
  }
}

/** A value. An array keeps only its first eight items. */
export type PdfValue =
  | { kind: 'name' | 'string' | 'word'; text: string }
  | { kind: 'ref'; number: number }
  | { kind: 'array'; items: readonly PdfValue[] }
  | { kind: 'dict'; pairs: readonly (readonly [string, PdfValue])[] }

/** Callbacks for every name and dictionary, at any depth. They throw to refuse the file. */
export type PdfWatch = { name: (text: string) => void; dict: (dict: PdfDict) => void }

/** A dictionary. A repeated key is kept twice, because readers differ on which one counts. */
export type PdfDict = Extract<PdfValue, { kind: 'dict' }>

export const valuesOf = (dict: PdfDict, key: string): PdfValue[] => dict.pairs.filter(([name]) => name === key).map(([, value]) => value)

/** True if the key has one of these names as a value. */
export const isNamed = (dict: PdfDict, key: string, names: readonly string[]): boolean =>
  valuesOf(dict, key).some((value) => value.kind === 'name' && names.includes(value.text))

const limits = { depth: 200, items: 200_000, arrayItems: 8, tokens: 4096 }
const isInteger = (value: PdfValue | undefined) => value?.kind === 'word' && /^\+?\d{1,10}$/.test(value.text)

type Frame = { opener: string; items: PdfValue[] }

function pairsOf(items: readonly PdfValue[]): (readonly [string, PdfValue])[] {
  const pairs: (readonly [string, PdfValue])[] = []
  for (let at = 0; at < items.length; at += 1) {
    const [key, value] = [items[at], items[at + 1]]
    // Only a name can be a key. Readers skip anything else.
    if (key?.kind !== 'name') continue
    pairs.push([key.text, value ?? { kind: 'word', text: 'null' }])
    at += 1
  }
  return pairs
}

/** Builds values from tokens without recursion, because an attacker chooses the nesting depth. */
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

  /** Closes unclosed containers. */
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
    // Long arrays contain widths and offsets: keeps only their first and latest items.
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

/** Words that end a top-level object. */
const ends = new Set(['endobj', 'endstream', 'stream', 'obj', 'xref', 'trailer', 'startxref'])

/** The values that were read, and the word that ended them. */
type PdfObject = { values: readonly PdfValue[]; word: string }

/** Reads values up to the end of an object, or only the first one, and passes their contents to `watch`. */
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
