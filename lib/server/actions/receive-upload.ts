import 'server-only'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import {
  type FileProblem,
  findFirstBytesProblem,
  findNameOrSizeProblem,
  getContentType,
  maxFileSize,
} from '@/lib/domain/files/rules'
import { AppError, createFieldError } from '@/lib/errors'
import { getTimeSettings } from '@/lib/server/config/env'
import { getDatabase } from '@/lib/server/store/store'
import { findActionByKey } from './action-log'
import { checkFileInWorker } from './check-file-in-worker'
import {
  deletePayload,
  type Payload,
  readPayloadChunks,
  storePayload,
  toMultipartFrame,
} from './payloads'
import { forgetUpload, recordUpload, runInUploadSlot } from './quotas'

type BodyReader = ReadableStreamDefaultReader<Uint8Array>
type BodyReadResult = Awaited<ReturnType<BodyReader['read']>>

/** Null if the read takes longer than `milliseconds`. */
async function readWithTimeout(
  reading: Promise<BodyReadResult>,
  milliseconds: number,
): Promise<BodyReadResult | null> {
  let timer: NodeJS.Timeout | undefined
  const timeoutPromise = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([reading, timeoutPromise])
  } finally {
    clearTimeout(timer)
  }
}

/** Counts only the time spent waiting for the sender. */
class SendRateMonitor {
  isBroken = false
  private waited = 0
  private bytes = 0
  private left = getTimeSettings().upload.whole

  /** Milliseconds that the next read may take. */
  get most(): number {
    return Math.min(getTimeSettings().upload.stretch - this.waited, this.left)
  }

  count(milliseconds: number, bytes: number): void {
    const { stretch, bytes: owed } = getTimeSettings().upload
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
 * Throws if the sender delivers less than 16 kB per second or takes over two minutes. Counts only
 * the time spent waiting for the sender, so that a slow store of ours never aborts an upload.
 */
export async function* readAtMinimumRate(
  reader: BodyReader,
  createError: () => AppError,
): AsyncGenerator<Uint8Array> {
  const rateMonitor = new SendRateMonitor()
  let pendingRead = reader.read()
  for (;;) {
    const startedAt = performance.now()
    const readResult = await readWithTimeout(pendingRead, rateMonitor.most)
    if (readResult?.done) return
    rateMonitor.count(performance.now() - startedAt, readResult?.value.length ?? 0)
    if (rateMonitor.isBroken) throw createError()
    // The rate suffices so far. Keep waiting for the same read: a second one would lose its data.
    if (!readResult) continue
    yield readResult.value
    pendingRead = reader.read()
  }
}

/**
 * Reads the rest of the body, because many clients read the error response only after they have
 * sent the whole body. The HTTP server limits the time.
 */
async function discardBody(reader: BodyReader): Promise<void> {
  let chunk: BodyReadResult | undefined
  while (!chunk?.done) chunk = await reader.read()
}

let previousFileCheck: Promise<unknown> = Promise.resolve()

async function checkPayload({ id, name, size }: Payload): Promise<FileProblem | null> {
  const bytes = new Uint8Array(size)
  let offset = 0
  for await (const chunk of readPayloadChunks(id)) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return checkFileInWorker(name, bytes)
}

/** One check at a time, because each needs the whole file and its unpacked content in memory. */
function checkStoredFile(file: Payload): Promise<FileProblem | null> {
  const ownCheck = previousFileCheck.then(() => checkPayload(file))
  previousFileCheck = ownCheck.catch(() => undefined)
  return ownCheck
}

const createTooSlowError = () =>
  createFieldError(
    'File',
    'The file arrived too slowly (under 16 kB a second). Check the connection and try again.',
  )
const createCutOffError = () => createFieldError('File', 'The upload was interrupted. Try again.')

/** `whole` resolves at the end of the form; it rejects if another part follows the file. */
type FilePart = { name: string; bytes: BusboyFileStream; whole: Promise<void> }

function createFormParser(request: Request): InstanceType<typeof Busboy> {
  const contentType = request.headers.get('content-type') ?? ''
  const formLimits = { files: 1, fields: 0, fileSize: maxFileSize + 1, headerPairs: 20 }
  try {
    if (/^multipart\/form-data;/i.test(contentType))
      return new Busboy({ headers: { 'content-type': contentType }, limits: formLimits })
  } catch {
    // The parser throws for a form without a boundary. It is refused below.
  }
  throw new AppError(
    'bad_request',
    'Content-Type: must be multipart/form-data with one part named File',
  )
}

/**
 * Before the part arrives, a failure rejects the promise; afterwards, it ends the part's stream
 * with the same error. Another part, a transfer error and a timeout are failures.
 */
function readFirstPart(busboy: InstanceType<typeof Busboy>, reader: BodyReader): Promise<FilePart> {
  return new Promise((resolve, reject) => {
    let fileStream: BusboyFileStream | undefined
    let fail: (error: AppError) => void = reject
    const formEndPromise = new Promise<void>((end, broken) => {
      busboy.on('finish', end)
      fail = (error) => {
        fileStream?.destroy(error)
        broken(error)
        reject(error)
      }
    })
    const timer = setTimeout(() => fail(createTooSlowError()), getTimeSettings().requestStart.form)
    // Code that awaits `formEndPromise` gets the error. This handler only prevents an unhandled rejection.
    formEndPromise.catch(() => undefined).finally(() => clearTimeout(timer))
    busboy.on('file', (field, bytes, filename) => {
      fileStream = bytes
      clearTimeout(timer)
      // Without this listener, an error of the stream would end the process. The reader gets it
      // too.
      bytes.on('error', () => undefined)
      if (field === 'File')
        return resolve({ name: toPlainFileName(filename), bytes, whole: formEndPromise })
      bytes.resume()
      fail(createFieldError('File', 'Must be the name of the part.'))
    })
    busboy.on('fieldsLimit', () => fail(createFieldError('File', 'Must be the only part.')))
    busboy.on('filesLimit', () => fail(createFieldError('File', 'Send one file at a time.')))
    busboy.on('error', () => fail(createCutOffError()))
    busboy.on('finish', () => reject(createFieldError('File', 'The file is missing.')))
    const bodyStream = Readable.from(readAtMinimumRate(reader, createTooSlowError), {
      objectMode: false,
    })
    bodyStream.on('error', (error) => fail(error instanceof AppError ? error : createCutOffError()))
    bodyStream.pipe(busboy)
  })
}

async function requireValidContent(file: Payload): Promise<void> {
  const problem = await checkStoredFile(file)
  if (problem) throw createFieldError('File', `${problem.reason} ${problem.fix}`)
}

/** Removes folders, control characters and direction marks, but no more: names are evidence. */
function toPlainFileName(name: string | undefined): string {
  const baseName = (name ?? '').split(/[\\/]/).at(-1) ?? ''
  return (
    baseName
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
      .slice(-150) || 'document'
  )
}

type UploadRequest = { request: Request; actionId: string; actorId: string; key: string }

/** `bodySha256` is the hash of the exact body that the service receives. */
type StoredFile = { file: Payload; bodySha256: string; contentType: string }

async function storeFilePart(
  actionId: string,
  { name, bytes, whole }: FilePart,
): Promise<StoredFile> {
  const fileNameProblem = findNameOrSizeProblem(name, 1)
  if (fileNameProblem)
    throw createFieldError('File', `${fileNameProblem.reason} ${fileNameProblem.fix}`)
  const contentType = getContentType(name)
  const multipartFrame = toMultipartFrame(actionId, { name, contentType })
  const bodyHash = createHash('sha256').update(multipartFrame.head)
  let receivedSize = 0
  const file = await storePayload(
    { id: actionId, name, contentType, bytes: bytes as AsyncIterable<Buffer> },
    (chunk, number) => {
      const problem = number === 0 ? findFirstBytesProblem(name, chunk) : null
      if (problem) throw createFieldError('File', `${problem.reason} ${problem.fix}`)
      receivedSize += chunk.length
      if (receivedSize > maxFileSize)
        throw createFieldError(
          'File',
          `Must be at most ${maxFileSize} bytes (10 MiB).`,
          'too_large',
        )
      bodyHash.update(chunk)
    },
  )
  await whole.catch(async (error: unknown) => {
    await deletePayload(file.id)
    throw error
  })
  return {
    file,
    bodySha256: bodyHash.update(multipartFrame.tail).digest('hex'),
    contentType: multipartFrame.contentType,
  }
}

/** After an error, discards the rest of the body: unread bytes would block the connection. */
async function receiveFile({ request, actionId }: UploadRequest): Promise<StoredFile> {
  const busboy = createFormParser(request)
  if (!request.body) throw createFieldError('File', 'The file is missing.')
  const reader: BodyReader = request.body.getReader()
  let filePart: FilePart | undefined
  try {
    filePart = await readFirstPart(busboy, reader)
    return await storeFilePart(actionId, filePart)
  } catch (error) {
    filePart?.bytes.resume()
    void discardBody(reader).catch(() => undefined)
    // The form parser throws such an error if the form ends before the file does.
    throw error instanceof Error && /terminated early|unexpected end/i.test(error.message)
      ? createCutOffError()
      : error
  }
}

/**
 * Counts the upload, but not if the file does not arrive. A retry by the same person with the same
 * idempotency key is not counted either.
 */
async function receiveCountedFile(uploadRequest: UploadRequest): Promise<StoredFile> {
  const existingAction = await findActionByKey(await getDatabase(), uploadRequest.key)
  if (existingAction?.actorId !== uploadRequest.actorId)
    await recordUpload(uploadRequest.actorId, uploadRequest.actionId)
  return receiveFile(uploadRequest).catch(async (error: unknown) => {
    await forgetUpload(uploadRequest.actionId)
    throw error
  })
}

/**
 * Checks name, first bytes and size while the file arrives, and the whole content afterwards.
 * Throws `bad_request`, `invalid_input`, `too_large`, `too_many` or `unavailable`; then nothing is
 * stored.
 */
export function receiveUpload(uploadRequest: UploadRequest): Promise<StoredFile> {
  return runInUploadSlot(uploadRequest.actorId, uploadRequest.request.signal, async () => {
    const storedFile = await receiveCountedFile(uploadRequest)
    await requireValidContent(storedFile.file).catch(async (error: unknown) => {
      await deletePayload(storedFile.file.id)
      throw error
    })
    return storedFile
  })
}
