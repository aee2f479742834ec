import { makeInvalidFieldProblem } from '@/sandbox/http/problem'
import type { FilePart, Upload } from '@/sandbox/http/read-body'

/** Maximum size of a file: 10 MiB, in bytes. */
const maxDocumentBytes = 10_485_760

/** Maximum length of a file name, as in common file systems. */
const maxFileNameLength = 255

const docSignature = 'd0cf11e0a1b11ae1'
const jpegSignature = 'ffd8ff'

/** Required first bytes in hexadecimal. DOCX is a ZIP file, DOC an OLE compound file. */
const signatureByExtension: Readonly<Record<string, string>> = {
  pdf: '255044462d',
  png: '89504e470d0a1a0a',
  jpg: jpegSignature,
  jpeg: jpegSignature,
  doc: docSignature,
  docx: '504b0304',
}

const makeDocumentProblem = (detail: string) => makeInvalidFieldProblem(detail, 'File', detail)

function requireValidDocument({ name, bytes, head }: FilePart): void {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const signature = signatureByExtension[extension]
  if (signature === undefined)
    throw makeDocumentProblem(
      'The file must be a PDF, PNG, JPG, JPEG, DOC or DOCX, and its name must say so.',
    )
  if (name.length > maxFileNameLength)
    throw makeDocumentProblem(
      `The file's name has ${name.length} characters; the limit is ${maxFileNameLength}.`,
    )
  if (bytes === 0) throw makeDocumentProblem('The file is empty.')
  if (bytes > maxDocumentBytes)
    throw makeDocumentProblem(
      `The file has ${bytes} bytes; the limit is ${maxDocumentBytes} (10 MiB).`,
    )
  if (!head.toString('hex').startsWith(signature))
    throw makeDocumentProblem(`The content of the file is not what .${extension} says.`)
}

export function requireUploadedDocument(upload: Upload | undefined): FilePart {
  if (!upload || upload.broken !== undefined) {
    throw makeDocumentProblem(
      `The multipart body cannot be read: ${upload?.broken ?? 'there is none'}. Send multipart/form-data with one part named File.`,
    )
  }
  const [file, ...more] = upload.files
  if (!file || more.length > 0 || upload.fields.length > 0 || file.part !== 'File') {
    throw makeDocumentProblem('Send exactly one file, in a part named File with a file name.')
  }
  requireValidDocument(file)
  return file
}
