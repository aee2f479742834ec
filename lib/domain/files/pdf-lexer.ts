/** A token of PDF syntax. Of a string only its beginning is kept, with its escapes resolved; of other text at most 128 letters. */
export type PdfToken = { kind: 'name' | 'string' | 'word' | 'open' | 'close' | 'end'; text: string }

const most = 128
const whitespace = new Set([0, 9, 10, 12, 13, 32])
const delimiters = new Set(Array.from('()<>[]{}/%', (letter) => letter.charCodeAt(0)))
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Whether a byte is white space of PDF. */
export const isSpace = (byte: number | undefined): boolean => byte !== undefined && whitespace.has(byte)

const brackets: Record<string, PdfToken['kind']> = { '<<': 'open', '[': 'open', '>>': 'close', ']': 'close' }

const isRegular = (byte: number | undefined) => byte !== undefined && !whitespace.has(byte) && !delimiters.has(byte)
const letter = (byte: number | undefined) => String.fromCharCode(byte ?? 0)

/** Reads tokens (ISO 32000-1, 7.2 and 7.3), as forgiving as readers are: what is not understood is a word, and what never closes ends with the bytes. */
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

  /** Behind white space and comments. */
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
