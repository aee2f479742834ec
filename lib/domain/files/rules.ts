import { formatFileSize } from '@/lib/formats'

/** Bytes. The "10 MB" of the provider's documents means 10 MiB (provider facts 0.3). */
export const maxFileSize = 10 * 1024 * 1024

/**
 * The extensions of the files that the service accepts (interface document, "Upload proof of
 * authorization"; for `.jpeg`, provider facts 0.3).
 */
export const allowedExtensions = ['pdf', 'png', 'jpg', 'jpeg', 'doc', 'docx'] as const

/** `reason` and `fix` are sentences on the screen. */
export type FileProblem = { id: string; reason: string; fix: string }

type FileKind = 'pdf' | 'png' | 'jpg' | 'doc' | 'docx'

const kindByExtension: Record<string, FileKind> = {
  pdf: 'pdf',
  png: 'png',
  jpg: 'jpg',
  jpeg: 'jpg',
  doc: 'doc',
  docx: 'docx',
}

const kindNames: Record<FileKind, string> = {
  pdf: 'a PDF',
  png: 'a PNG image',
  jpg: 'a JPEG image',
  doc: 'an old Word document',
  docx: 'a zip or Word document',
}

const magicBytes: readonly [FileKind, readonly number[]][] = [
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpg', [0xff, 0xd8, 0xff]],
  ['doc', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ['docx', [0x50, 0x4b, 0x03, 0x04]],
]

export function getExtension(fileName: string): string {
  const dotIndex = fileName.lastIndexOf('.')
  return dotIndex > 0 ? fileName.slice(dotIndex + 1).toLowerCase() : ''
}

export function detectFileKind(bytes: Uint8Array): FileKind | null {
  return magicBytes.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0] ?? null
}

export function findNameOrSizeProblem(fileName: string, size: number): FileProblem | null {
  const extension = getExtension(fileName)
  if (!Object.hasOwn(kindByExtension, extension)) {
    const extensionProblemText =
      extension === '' ? 'The file name has no ending' : `.${extension} files are not accepted`
    return {
      id: 'ending',
      reason: `${extensionProblemText}.`,
      fix: 'Save it as PDF, PNG, JPG, DOC or DOCX.',
    }
  }
  if (size === 0)
    return {
      id: 'empty',
      reason: 'The file is empty (0 bytes).',
      fix: 'Export or scan it again and check that it opens.',
    }
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

export function findFirstBytesProblem(fileName: string, bytes: Uint8Array): FileProblem | null {
  const expectedKind = kindByExtension[getExtension(fileName)]
  const detectedKind = detectFileKind(bytes)
  if (expectedKind === 'docx' && detectedKind === 'doc') return lockedWordProblem
  return detectedKind === null || detectedKind !== expectedKind
    ? createContentMismatchProblem(getExtension(fileName), detectedKind)
    : null
}

const contentTypes: Record<FileKind, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/**
 * Returns the media type for the extension, which the file check compares with the content. The
 * media type that the browser sends is not used.
 */
export function getContentType(fileName: string): string {
  const kind = kindByExtension[getExtension(fileName)]
  return kind ? contentTypes[kind] : 'application/octet-stream'
}

/** The types that browsers can show without another program. */
const shownContentTypes: readonly string[] = ['application/pdf', 'image/png', 'image/jpeg']

export const canBeShown = (contentType: string): boolean => shownContentTypes.includes(contentType)

const lockedWordProblem: FileProblem = {
  id: 'password',
  reason: 'The Word document is protected by a password, or is an old .doc under a new name.',
  fix: 'Remove the password (File, Info, Protect Document), or save it as PDF.',
}

function createContentMismatchProblem(
  nameExtension: string,
  contentKind: FileKind | null,
): FileProblem {
  const contentText =
    contentKind === null
      ? 'its content is none of the accepted kinds'
      : `its content is ${kindNames[contentKind]}`
  return {
    id: 'kind',
    reason: `The name ends in .${nameExtension} but ${contentText}.`,
    fix: 'Open it and save it again in the kind its name says.',
  }
}
