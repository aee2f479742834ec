import { formatFileSize } from '@/lib/formats'

/** The maximum file size: 10 MiB (provider facts 0.3 define "10 MB"). */
export const maxFileSize = 10 * 1024 * 1024

/** The extensions the service accepts (interface document, "Upload proof of authorization"; `.jpeg` by provider facts 0.3). */
export const fileEndings = ['pdf', 'png', 'jpg', 'jpeg', 'doc', 'docx'] as const

/** A problem of a file: the reason and the fix. */
export type FileProblem = { id: string; reason: string; fix: string }

type Kind = 'pdf' | 'png' | 'jpg' | 'doc' | 'docx'

const kindByExtension: Record<string, Kind> = { pdf: 'pdf', png: 'png', jpg: 'jpg', jpeg: 'jpg', doc: 'doc', docx: 'docx' }

const kindNames: Record<Kind, string> = {
  pdf: 'a PDF',
  png: 'a PNG image',
  jpg: 'a JPEG image',
  doc: 'an old Word document',
  docx: 'a zip or Word document',
}

const magicBytes: readonly [Kind, readonly number[]][] = [
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpg', [0xff, 0xd8, 0xff]],
  ['doc', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ['docx', [0x50, 0x4b, 0x03, 0x04]],
]

/** Returns the lowercase extension of a file name, without the dot; empty if there is none. */
export function getExtension(name: string): string {
  const at = name.lastIndexOf('.')
  return at > 0 ? name.slice(at + 1).toLowerCase() : ''
}

/** Returns the kind of a file by its first bytes; null if it is not an accepted kind. */
export function detectKind(bytes: Uint8Array): Kind | null {
  return magicBytes.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0] ?? null
}

/** Returns the problem with a file's name or size, or null. */
export function findNameProblem(name: string, size: number): FileProblem | null {
  const ending = getExtension(name)
  if (!Object.hasOwn(kindByExtension, ending)) {
    const what = ending === '' ? 'The file name has no ending' : `.${ending} files are not accepted`
    return { id: 'ending', reason: `${what}.`, fix: 'Save it as PDF, PNG, JPG, DOC or DOCX.' }
  }
  if (size === 0) return { id: 'empty', reason: 'The file is empty (0 bytes).', fix: 'Export or scan it again and check that it opens.' }
  if (size > maxFileSize) {
    const excessBytes = size - maxFileSize
    return {
      id: 'size',
      reason: `The file is ${formatFileSize(size)}, ${excessBytes < 1024 ? `${excessBytes} bytes` : formatFileSize(excessBytes)} over the limit of 10 MB.`,
      fix: 'Scan it at a lower resolution or split it.',
    }
  }
  return null
}

/** Returns the problem if the first bytes do not match the extension, or null. */
export function findHeadProblem(name: string, bytes: Uint8Array): FileProblem | null {
  const expectedKind = kindByExtension[getExtension(name)]
  const detectedKind = detectKind(bytes)
  if (expectedKind === 'docx' && detectedKind === 'doc') return lockedWordProblem
  return detectedKind === null || detectedKind !== expectedKind ? createKindProblem(getExtension(name), detectedKind) : null
}

const contentTypes: Record<Kind, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** Returns the media type for the extension. The browser's value is not used. */
export function getContentType(name: string): string {
  const kind = kindByExtension[getExtension(name)]
  return kind ? contentTypes[kind] : 'application/octet-stream'
}

const lockedWordProblem: FileProblem = {
  id: 'password',
  reason: 'The Word document is protected by a password, or is an old .doc under a new name.',
  fix: 'Remove the password (File, Info, Protect Document), or save it as PDF.',
}

function createKindProblem(ending: string, found: Kind | null): FileProblem {
  const contentText = found === null ? 'its content is none of the accepted kinds' : `its content is ${kindNames[found]}`
  return {
    id: 'kind',
    reason: `The name ends in .${ending} but ${contentText}.`,
    fix: 'Open it and save it again in the kind its name says.',
  }
}
