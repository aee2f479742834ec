import 'server-only'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { contentTypeOf, headProblem, largestFile, nameProblem } from '@/lib/domain/file-rules'
import { AppError } from '@/lib/errors'
import { frameOf, keepPayload, type Payload } from './payloads'

/** How long a browser may take to hand a file over (milliseconds); then its place is given to another. */
const patience = 120_000
const atOnce = 4

let running = 0
const waiting: (() => void)[] = []

/** Only a few uploads are taken in at once; the others wait with their bytes still in the sender's hands. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((go) => waiting.push(go))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const refuse = (detail: string, code: 'invalid_input' | 'too_large' = 'invalid_input') =>
  new AppError(code, `File: ${detail}`, { items: [{ reference: 'File', detail }] })

type Part = { name: string; bytes: BusboyFileStream }

/** The first part named `File`; throws for a body that is no form, has other parts or has none. */
function firstPart(request: Request): Promise<Part> {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data;.*boundary=/i.test(contentType) || !request.body) {
    throw new AppError('bad_request', 'Content-Type: must be multipart/form-data with one part named File')
  }
  return new Promise((resolve, reject) => {
    const busboy = new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 0, fileSize: largestFile + 1, headerPairs: 20 },
    })
    let part: BusboyFileStream | undefined
    busboy.on('file', (field, bytes, filename) => {
      part = bytes
      if (field === 'File') return resolve({ name: plainName(filename), bytes })
      bytes.resume()
      reject(refuse('must be the name of the part; it was another'))
    })
    busboy.on('fieldsLimit', () => reject(refuse('must be the only part')))
    busboy.on('filesLimit', () => reject(refuse('send one file at a time')))
    busboy.on('error', () => reject(refuse('the form could not be read to its end')))
    busboy.on('finish', () => reject(refuse('is missing')))
    const body = Readable.fromWeb(request.body as unknown as NodeWebStream)
    body.on('error', () => {
      const cut = refuse('the upload was cut off; send it again')
      part?.destroy(cut)
      reject(cut)
    })
    body.pipe(busboy)
  })
}

/** A file name without folders, control and direction marks; evidence keeps its name otherwise. */
function plainName(name: string | undefined): string {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? ''
  return (
    last
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
      .slice(-150) || 'document'
  )
}

/**
 * Takes one uploaded file in: checks name, first bytes and size while it streams, keeps it in the store, and gives it with the SHA-256 of the
 * exact body the service will get. Throws `bad_request`, `invalid_input` or `too_large`, each naming `File` and the fix; nothing is kept then.
 */
export function readFile(request: Request, actionId: string): Promise<{ file: Payload; bodySha256: string; contentType: string }> {
  return inTurn(async () => {
    const { name, bytes } = await firstPart(request)
    const late = setTimeout(() => bytes.destroy(refuse('took too long to arrive; check the connection and send it again')), patience)
    const named = nameProblem(name, 1)
    const contentType = contentTypeOf(name)
    const frame = frameOf(actionId, { name, contentType })
    const body = createHash('sha256').update(frame.head)
    let size = 0
    try {
      if (named) throw refuse(`${named.reason} ${named.fix}`)
      const file = await keepPayload({ id: actionId, name, contentType, bytes: bytes as AsyncIterable<Buffer> }, (chunk, number) => {
        const problem = number === 0 ? headProblem(name, chunk) : null
        if (problem) throw refuse(`${problem.reason} ${problem.fix}`)
        size += chunk.length
        if (size > largestFile) throw refuse(`must be at most ${largestFile} bytes (10 MiB)`, 'too_large')
        body.update(chunk)
      })
      return { file, bodySha256: body.update(frame.tail).digest('hex'), contentType: frame.contentType }
    } finally {
      clearTimeout(late)
      bytes.resume()
    }
  })
}
