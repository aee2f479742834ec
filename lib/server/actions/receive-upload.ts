import 'server-only'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { type FileProblem, findHeadProblem, findNameProblem, getContentType, maxFileSize } from '@/lib/domain/files/rules'
import { AppError } from '@/lib/errors'
import { times } from '@/lib/server/config/env'
import { database } from '@/lib/server/store/store'
import { findActionByKey } from './action-log'
import { checkFileInWorker } from './check-file-in-worker'
import { deletePayload, type Payload, readChunks, storePayload, toMultipartFrame } from './payloads'
import { countUpload, runInSlot, uncountUpload } from './quotas'

type Reader = ReadableStreamDefaultReader<Uint8Array>
type ReadChunk = Awaited<ReturnType<Reader['read']>>

/** Returns the result of the read, or null if it takes longer than `milliseconds`. */
async function readWithTimeout(reading: Promise<ReadChunk>, milliseconds: number): Promise<ReadChunk | null> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([reading, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Measures how fast a sender delivers bytes. Counts only the time spent waiting for the sender. */
class SendRate {
  isBroken = false
  private waited = 0
  private bytes = 0
  private left = times().upload.whole

  /** Milliseconds that the next read may take. */
  get most(): number {
    return Math.min(times().upload.stretch - this.waited, this.left)
  }

  count(milliseconds: number, bytes: number): void {
    const { stretch, bytes: owed } = times().upload
    this.waited += milliseconds
    this.bytes += bytes
    this.left -= milliseconds
    if (this.left <= 0) this.isBroken = true
    if (this.waited < stretch) return
    if (this.bytes < owed) this.isBroken = true
    this.waited = 0
    this.bytes = 0
  }
}

/**
 * Yields the bytes of a body while its sender delivers at least 16 kB per second. Counts only the time spent waiting for the sender, so
 * that a slow store of ours never cuts off an upload. Throws the error that `tooSlow` returns.
 */
export async function* readAtMinimumRate(reader: Reader, createError: () => AppError): AsyncGenerator<Uint8Array> {
  const sender = new SendRate()
  let pendingRead = reader.read()
  for (;;) {
    const startedAt = performance.now()
    const chunk = await readWithTimeout(pendingRead, sender.most)
    if (chunk?.done) return
    sender.count(performance.now() - startedAt, chunk?.value.length ?? 0)
    if (sender.isBroken) throw createError()
    // The wait timed out, but the rate suffices. Keep the same read: a second one would lose its data.
    if (!chunk) continue
    yield chunk.value
    pendingRead = reader.read()
  }
}

/** Reads and discards the rest of the body, so that the client receives the refusal. The HTTP server limits the time. */
async function discardBody(reader: Reader): Promise<void> {
  let chunk: ReadChunk | undefined
  while (!chunk?.done) chunk = await reader.read()
}

let lastCheck: Promise<unknown> = Promise.resolve()

async function checkPayload({ id, name, size }: Payload): Promise<FileProblem | null> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of readChunks(id)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return checkFileInWorker(name, bytes)
}

/**
 * Returns the problem in a stored file's content; null if the file may be sent. Checks run one at a time, because each needs the whole file
 * and its unpacked content in memory.
 */
function checkStoredFile(file: Payload): Promise<FileProblem | null> {
  const ownCheck = lastCheck.then(() => checkPayload(file))
  lastCheck = ownCheck.catch(() => undefined)
  return ownCheck
}

const createFileError = (detail: string, code: 'invalid_input' | 'too_large' = 'invalid_input') =>
  new AppError(code, `File: ${detail}`, { items: [{ reference: 'File', detail }] })

const createTooSlowError = () => createFileError('arrived too slowly (under 16 kB a second); check the connection and try again')
const createCutOffError = () => createFileError('the upload was interrupted; try again')

/** The file part of a form. `whole` resolves at the end of the form; it rejects if another part follows. */
type FilePart = { name: string; bytes: BusboyFileStream; whole: Promise<void> }

function createFormParser(request: Request): InstanceType<typeof Busboy> {
  const contentType = request.headers.get('content-type') ?? ''
  const limits = { files: 1, fields: 0, fileSize: maxFileSize + 1, headerPairs: 20 }
  try {
    if (/^multipart\/form-data;/i.test(contentType)) return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch {
    // A form without a boundary is refused below, like every other body that is not a form.
  }
  throw new AppError('bad_request', 'Content-Type: must be multipart/form-data with one part named File')
}

/**
 * Returns the first part, which must be named `File`. Another part, a transfer error and a timeout are failures. Before the part arrives, a
 * failure rejects the promise; afterwards, it ends the part's stream with the same error.
 */
function readFirstPart(busboy: InstanceType<typeof Busboy>, reader: Reader): Promise<FilePart> {
  return new Promise((resolve, reject) => {
    let fileStream: BusboyFileStream | undefined
    let fail: (error: AppError) => void = reject
    const formEnd = new Promise<void>((end, broken) => {
      busboy.on('finish', end)
      fail = (error) => {
        fileStream?.destroy(error)
        broken(error)
        reject(error)
      }
    })
    const timer = setTimeout(() => fail(createTooSlowError()), times().requestStart.form)
    // Code that awaits `formEnd` gets the error. This handler only prevents an unhandled rejection.
    formEnd.catch(() => undefined).finally(() => clearTimeout(timer))
    busboy.on('file', (field, bytes, filename) => {
      fileStream = bytes
      clearTimeout(timer)
      // The reader of the stream gets this error too. Without a listener, the error would end the process.
      bytes.on('error', () => undefined)
      if (field === 'File') return resolve({ name: toPlainName(filename), bytes, whole: formEnd })
      bytes.resume()
      fail(createFileError('must be the name of the part'))
    })
    busboy.on('fieldsLimit', () => fail(createFileError('must be the only part')))
    busboy.on('filesLimit', () => fail(createFileError('send one file at a time')))
    busboy.on('error', () => fail(createCutOffError()))
    busboy.on('finish', () => reject(createFileError('is missing')))
    const body = Readable.from(readAtMinimumRate(reader, createTooSlowError), { objectMode: false })
    body.on('error', (error) => fail(error instanceof AppError ? error : createCutOffError()))
    body.pipe(busboy)
  })
}

/** Throws `invalid_input` if the content of the file does not match its type. */
async function requireValidContent(file: Payload): Promise<void> {
  const problem = await checkStoredFile(file)
  if (problem) throw createFileError(`${problem.reason} ${problem.fix}`)
}

/**
 * Returns the last 150 characters of a file name, without folders, control characters and direction marks. The rest stays as it is, because
 * the file is evidence.
 */
function toPlainName(name: string | undefined): string {
  const baseName = (name ?? '').split(/[\\/]/).at(-1) ?? ''
  return (
    baseName
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
      .slice(-150) || 'document'
  )
}

type UploadSender = { request: Request; actionId: string; actorId: string; key: string }

/** A stored file, and the SHA-256 of the exact body that the service receives. */
type StoredFile = { file: Payload; bodySha256: string; contentType: string }

async function storePart(actionId: string, { name, bytes, whole }: FilePart): Promise<StoredFile> {
  const fileNameProblem = findNameProblem(name, 1)
  if (fileNameProblem) throw createFileError(`${fileNameProblem.reason} ${fileNameProblem.fix}`)
  const contentType = getContentType(name)
  const frame = toMultipartFrame(actionId, { name, contentType })
  const body = createHash('sha256').update(frame.head)
  let size = 0
  const file = await storePayload({ id: actionId, name, contentType, bytes: bytes as AsyncIterable<Buffer> }, (chunk, number) => {
    const problem = number === 0 ? findHeadProblem(name, chunk) : null
    if (problem) throw createFileError(`${problem.reason} ${problem.fix}`)
    size += chunk.length
    if (size > maxFileSize) throw createFileError(`must be at most ${maxFileSize} bytes (10 MiB)`, 'too_large')
    body.update(chunk)
  })
  await whole.catch(async (error: unknown) => {
    await deletePayload(file.id)
    throw error
  })
  return { file, bodySha256: body.update(frame.tail).digest('hex'), contentType: frame.contentType }
}

/** Receives the file from its form. After an error, discards the rest of the body in the background: it would block the connection. */
async function receiveFile({ request, actionId }: UploadSender): Promise<StoredFile> {
  const busboy = createFormParser(request)
  if (!request.body) throw createFileError('is missing')
  const reader: Reader = request.body.getReader()
  let filePart: FilePart | undefined
  try {
    filePart = await readFirstPart(busboy, reader)
    return await storePart(actionId, filePart)
  } catch (error) {
    filePart?.bytes.resume()
    void discardBody(reader).catch(() => undefined)
    // This error comes from the parser: the form ended before the file did.
    throw error instanceof Error && /terminated early|unexpected end/i.test(error.message) ? createCutOffError() : error
  }
}

/** Counts the upload and receives the file; uncounts it if the file did not arrive. A person's retry of a known key is not counted. */
async function receiveCountedFile(sender: UploadSender): Promise<StoredFile> {
  const existingAction = await findActionByKey(await database(), sender.key)
  if (existingAction?.actorId !== sender.actorId) await countUpload(sender.actorId, sender.actionId)
  return receiveFile(sender).catch(async (error: unknown) => {
    await uncountUpload(sender.actionId)
    throw error
  })
}

/**
 * Receives and stores one uploaded file. Waits for a slot, checks name, first bytes and size while the file arrives, and checks the whole
 * content afterwards. Throws `bad_request`, `invalid_input`, `too_large`, `too_many` or `unavailable`; nothing is stored then. All errors
 * except `bad_request` name `File` and the fix.
 */
export function receiveUpload(sender: UploadSender): Promise<StoredFile> {
  return runInSlot(sender.actorId, sender.request.signal, async () => {
    const storedFile = await receiveCountedFile(sender)
    await requireValidContent(storedFile.file).catch(async (error: unknown) => {
      await deletePayload(storedFile.file.id)
      throw error
    })
    return storedFile
  })
}
