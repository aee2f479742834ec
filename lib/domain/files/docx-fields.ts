import { latin } from './bytes'
import { Refusal } from './refusal'

/** Fields that ask another program for data, or start it, when a document is opened. */
const badField = /^\s*dde(?:auto)?\b/i
const instructionTag = /^<(?:[A-Za-z_][\w.-]*:)?(?:instrText|fldSimple)\b/
const beginTag = /^<(?:[A-Za-z_][\w.-]*:)?(?:fldChar|fldSimple)\b(?![^>]*["'](?:separate|end)["'])/

/**
 * Watches the text of a part go by for such fields, for a document type and for scripts. A field's instruction may be cut into many pieces, each
 * in tags of its own, so they are put together; of what went by only the last tag and the beginning of an instruction are kept.
 */
export class FieldWatch {
  private rest = ''
  private instruction = ''

  /** Throws `Refusal`. Text of two bytes a letter is read without its zeros, which is good enough for words of ASCII. */
  see(part: Uint8Array): void {
    const text = this.rest + latin(part).replaceAll('\0', '')
    if (/<!(?:doctype\s+(?!svg)|entity)/i.test(text)) throw new Refusal('wordDamaged')
    if (/<script[\s>]/i.test(text)) throw new Refusal('wordEmbedded')
    const whole = Math.max(0, text.lastIndexOf('<'))
    for (const piece of text.slice(0, whole).split('<')) this.readPiece(`<${piece}`)
    this.rest = text.slice(whole, whole + 64 * 1024)
  }

  private readPiece(piece: string): void {
    if (beginTag.test(piece)) this.instruction = ''
    if (!instructionTag.test(piece)) return
    const end = piece.indexOf('>')
    const simple = /\sinstr\s*=\s*["']([^"']*)|:instr\s*=\s*["']([^"']*)/.exec(piece.slice(0, end))
    const more = simple ? (simple[1] ?? simple[2] ?? '') : piece.slice(end + 1)
    this.instruction = (this.instruction + more).slice(0, 200)
    if (badField.test(this.instruction)) throw new Refusal('wordExternal')
  }
}
