import 'server-only'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { decrypt, encrypt } from '@/lib/server/store/encryption'
import { actions, payloadChunks, payloads } from '@/lib/server/store/schema/actions'
import { type Db, database } from '@/lib/server/store/store'

/** Bytes of a file per row: few enough that fifty uploads at once need little memory, but only twenty rows for ten megabytes. */
const chunkSize = 512 * 1024

/** Metadata of a stored file. They are kept permanently, unlike its bytes. `size` is in bytes. */
export type Payload = { id: string; name: string; contentType: string; size: number; sha256: string }

const toChunkAad = (id: string, number: number) => `payload_chunks/${id}/${number}`

async function* splitIntoChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pendingChunks: Buffer[] = []
  let length = 0
  for await (const buffer of bytes) {
    pendingChunks.push(buffer)
    length += buffer.length
    while (length >= chunkSize) {
      const joinedBytes = Buffer.concat(pendingChunks)
      yield joinedBytes.subarray(0, chunkSize)
      pendingChunks = [joinedBytes.subarray(chunkSize)]
      length -= chunkSize
    }
  }
  if (length > 0) yield Buffer.concat(pendingChunks)
}

/**
 * Stores a file encrypted, in chunks, as it arrives. Each chunk is written before the next is read. `watch` receives every chunk and may
 * throw to refuse the file, which is then deleted. Returns the size and SHA-256 of the whole file.
 */
export async function storePayload(
  file: { id: string; name: string; contentType: string; bytes: AsyncIterable<Buffer> },
  watch: (chunk: Buffer, number: number) => void,
): Promise<Payload> {
  const db = await database()
  const { id, name, contentType } = file
  await db.insert(payloads).values({ id, name, contentType })
  const hash = createHash('sha256')
  let size = 0
  let number = 0
  try {
    for await (const chunk of splitIntoChunks(file.bytes)) {
      watch(chunk, number)
      hash.update(chunk)
      size += chunk.length
      await db.insert(payloadChunks).values({ payloadId: id, number, bytes: encrypt(chunk, toChunkAad(id, number)) })
      number += 1
    }
    if (size === 0) throw new AppError('invalid_input', 'File: is empty', { items: [{ reference: 'File', detail: 'is empty' }] })
    const sha256 = hash.digest('hex')
    await db.update(payloads).set({ size, sha256 }).where(eq(payloads.id, id))
    return { id, name, contentType, size, sha256 }
  } catch (error) {
    await deletePayload(id)
    throw error
  }
}

export async function* readChunks(id: string): AsyncGenerator<Buffer> {
  const db = await database()
  for (let number = 0; ; number += 1) {
    const [row] = await db
      .select({ bytes: payloadChunks.bytes })
      .from(payloadChunks)
      .where(and(eq(payloadChunks.payloadId, id), eq(payloadChunks.number, number)))
    if (!row) return
    yield decrypt(row.bytes, toChunkAad(id, number))
  }
}

/** Throws if the first chunk of a stored file cannot be decrypted (see `decrypt`), before any byte of the file is sent. */
export async function requireReadable(id: string): Promise<void> {
  await readChunks(id).next()
}

/** Returns the bytes around the file in its multipart body. The boundary derives from the action id, so that replays are identical. */
export function toMultipartFrame(
  actionId: string,
  file: Pick<Payload, 'name' | 'contentType'>,
): { head: Buffer; tail: Buffer; contentType: string } {
  const boundary = `paydesk-${actionId}`
  const name = file.name.replace(/[\r\n"\\]/g, '_')
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="File"; filename="${name}"\r\nContent-Type: ${file.contentType}\r\n\r\n`
  return { head: Buffer.from(head), tail: Buffer.from(`\r\n--${boundary}--\r\n`), contentType: `multipart/form-data; boundary=${boundary}` }
}

/** Returns the whole body of an upload: a new stream of the same bytes at each call, and its exact length in bytes. */
export function createMultipartBody(actionId: string, file: Payload): { stream: () => Readable; length: number } {
  const { head, tail } = toMultipartFrame(actionId, file)
  async function* generateBytes() {
    yield head
    yield* readChunks(file.id)
    yield tail
  }
  return { stream: () => Readable.from(generateBytes(), { objectMode: false }), length: head.length + file.size + tail.length }
}

/** Deletes the bytes of a file after its action settled. Size, hash, type and name stay. */
export async function deletePayloadBytes(tx: Db, id: string | null): Promise<void> {
  if (!id) return
  await tx.delete(payloadChunks).where(eq(payloadChunks.payloadId, id))
  await tx.update(payloads).set({ releasedAt: sql`now()` }).where(eq(payloads.id, id))
}

/** Deletes a file whose action was not recorded. */
export async function deletePayload(id: string): Promise<void> {
  const db = await database()
  await db.delete(payloads).where(eq(payloads.id, id))
}

/** Deletes files that have had no action for an hour: their upload failed before the action was recorded. */
export async function deleteOrphanedPayloads(): Promise<void> {
  const db = await database()
  const isOwned = sql`exists (select 1 from ${actions} where ${actions.payloadId} = ${payloads.id})`
  await db
    .delete(payloads)
    .where(and(isNull(payloads.releasedAt), lt(payloads.createdAt, sql`now() - interval '1 hour'`), sql`not ${isOwned}`))
}
