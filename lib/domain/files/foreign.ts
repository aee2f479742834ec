import { ascii, find, findLast, latin, viewOf } from './bytes'
import { Refusal, type Steps } from './refusal'

const zipEnd = ascii('PK\x05\x06')
const zipDirectory = 0x02014b50
const pdfHead = ascii('%PDF-')

/** Program text that no picture needs; `<?=` counts where plain text follows, since three bytes alone are in every tenth photo by chance. */
const program = /<\?php|<\?=\s?[\x20-\x7e]{6}|<script[\s>/]|<html[\s>]|<!doctype\s+html|<iframe[\s>]|<svg[\s>]/i

/** Where a zip archive that ends a file says its directory begins; -1 where there is none. The end of one is searched for backwards, as readers do. */
function zipDirectoryAt(bytes: Uint8Array): number {
  const at = findLast(bytes, zipEnd, Math.max(0, bytes.length - 22 - 0xffff))
  if (at === -1 || at + 22 > bytes.length) return -1
  const view = viewOf(bytes)
  const directory = at - view.getUint32(at + 12, true)
  return directory >= 0 && directory < at && view.getUint32(directory, true) === zipDirectory ? directory : -1
}

/** Refuses what a reader of another kind would read as well: a zip archive behind, or the head of a PDF in front. */
export function refuseSecondKind(bytes: Uint8Array, kind: string): void {
  if (kind !== 'docx' && zipDirectoryAt(bytes) !== -1) throw new Refusal('twoKinds')
  // Readers of PDF look for its head in the first kilobyte.
  if (kind !== 'pdf' && find(bytes, pdfHead, 0, 1024 + pdfHead.length) !== -1) throw new Refusal('twoKinds')
}

/** Refuses program text in a picture. Looked at in pieces that overlap, so that a large picture is not one large string. */
export function* refuseProgram(bytes: Uint8Array): Steps {
  const piece = 64 * 1024
  for (let at = 0; at < bytes.length; at += piece) {
    if (program.test(latin(bytes, at, at + piece + 32))) throw new Refusal('pictureScript')
    yield
  }
}
