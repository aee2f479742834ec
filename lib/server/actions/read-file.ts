import 'server-only'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { contentTypeOf, headProblem, largestFile, nameProblem } from '@/lib/domain/file-rules'
import { AppError } from '@/lib/errors'
import { checkKept } from './check-kept'
import { forgetPayload, frameOf, keepPayload, type Payload } from './payloads'

/** How long a browser may take to begin and to hand a file over (milliseconds); then its place is given to another. */
const patience = { begin: 10_000, whole: 120_000 }
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

const cutOff = () => refuse('the upload was cut off; send it again')

/** The part, and the end of the form around it: `whole` fails when something else follows. */
type Part = { name: string; bytes: BusboyFileStream; whole: Promise<void> }

function openForm(request: Request): InstanceType<typeof Busboy> {
  const contentType = request.headers.get('content-type') ?? ''
  const limits = { files: 1, fields: 0, fileSize: largestFile + 1, headerPairs: 20 }
  try {
    if (/^multipart\/form-data;/i.test(contentType) && request.body) return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch {
    // A form without a boundary, told below like every other body that is no form.
  }
  throw new AppError('bad_request', 'Content-Type: must be multipart/form-data with one part named File')
}

/**
 * The first part, named `File`. Gives up when another part, the sender or the clock says so: before the part has come the promise rejects,
 * afterwards its stream fails with the same error.
 */
function firstPart(request: Request): Promise<Part> {
  const busboy = openForm(request)
  return new Promise((resolve, reject) => {
    let part: BusboyFileStream | undefined
    let fail: (error: AppError) => void = reject
    const whole = new Promise<void>((end, broken) => {
      busboy.on('finish', end)
      fail = (error) => {
        part?.destroy(error)
        broken(error)
        reject(error)
      }
    })
    const giveUp = () => fail(refuse('took too long to arrive; check the connection and send it again'))
    let late = setTimeout(giveUp, patience.begin)
    // Who waits for the part sees the failure there; this only marks it as seen.
    whole.catch(() => undefined).finally(() => clearTimeout(late))
    busboy.on('file', (field, bytes, filename) => {
      part = bytes
      clearTimeout(late)
      late = setTimeout(giveUp, patience.whole)
      // The reader sees the error as well; without a listener of its own it would end the process.
      bytes.on('error', () => undefined)
      if (field === 'File') return resolve({ name: plainName(filename), bytes, whole })
      bytes.resume()
      fail(refuse('must be the name of the part; it was another'))
    })
    busboy.on('fieldsLimit', () => fail(refuse('must be the only part')))
    busboy.on('filesLimit', () => fail(refuse('send one file at a time')))
    busboy.on('error', () => fail(cutOff()))
    busboy.on('finish', () => reject(refuse('is missing')))
    const body = Readable.fromWeb(request.body as unknown as NodeWebStream)
    body.on('error', () => fail(cutOff()))
    body.pipe(busboy)
  })
}

/** Throws `invalid_input` for a file whose content is not what its kind allows. */
async function refuseUnsound(file: Payload): Promise<void> {
  const problem = await checkKept(file)
  if (problem) throw refuse(`${problem.reason} ${problem.fix}`)
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
 * Takes one uploaded file in: checks name, first bytes and size while it streams and the whole content once it is kept, and gives it with the
 * SHA-256 of the exact body the service will get. Throws `bad_request`, `invalid_input` or `too_large`, each naming `File` and the fix; nothing is kept then.
 */
export function readFile(request: Request, actionId: string): Promise<{ file: Payload; bodySha256: string; contentType: string }> {
  return inTurn(async () => {
    const { name, bytes, whole } = await firstPart(request)
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
      await whole
        .then(() => refuseUnsound(file))
        .catch(async (error: unknown) => {
          await forgetPayload(file.id)
          throw error
        })
      return { file, bodySha256: body.update(frame.tail).digest('hex'), contentType: frame.contentType }
    } catch (error) {
      // What is neither ours nor the store's is the parser's: the form ended before the file did.
      throw error instanceof Error && /terminated early|unexpected end/i.test(error.message) ? cutOff() : error
    } finally {
      bytes.resume()
    }
  })
}
