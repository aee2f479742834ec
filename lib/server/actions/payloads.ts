import 'server-only'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { createFieldError } from '@/lib/errors'
import { env } from '@/lib/server/config/env'
import { decrypt, encrypt } from '@/lib/server/store/encryption'
import {
  actions,
  filePayloadChunks,
  filePayloads,
  type ReleaseReason,
} from '@/lib/server/store/schema/actions'
import { type Db, getDatabase } from '@/lib/server/store/store'

/** Bytes per row: fifty uploads at once need little memory, ten megabytes only twenty rows. */
const chunkSize = 512 * 1024

/** Kept permanently, unlike the bytes. `size` is in bytes. */
export type Payload = {
  id: string
  name: string
  contentType: string
  size: number
  sha256: string
}

export const toChunkAad = (id: string, number: number) => `payload_chunks/${id}/${number}`

async function* splitIntoChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pendingChunks: Buffer[] = []
  let pendingLength = 0
  for await (const buffer of bytes) {
    pendingChunks.push(buffer)
    pendingLength += buffer.length
    while (pendingLength >= chunkSize) {
      const joinedBytes = Buffer.concat(pendingChunks)
      yield joinedBytes.subarray(0, chunkSize)
      pendingChunks = [joinedBytes.subarray(chunkSize)]
      pendingLength -= chunkSize
    }
  }
  if (pendingLength > 0) yield Buffer.concat(pendingChunks)
}

/**
 * Stores a file encrypted, in chunks, while it arrives. `watch` receives every chunk; if it throws,
 * the file is refused and deleted.
 */
export async function storePayload(
  file: { id: string; name: string; contentType: string; bytes: AsyncIterable<Buffer> },
  watch: (chunk: Buffer, number: number) => void,
): Promise<Payload> {
  const db = await getDatabase()
  const { id, name, contentType } = file
  await db.insert(filePayloads).values({ id, name, contentType })
  const hash = createHash('sha256')
  let payloadSize = 0
  let chunkNumber = 0
  try {
    for await (const chunk of splitIntoChunks(file.bytes)) {
      watch(chunk, chunkNumber)
      hash.update(chunk)
      payloadSize += chunk.length
      await db.insert(filePayloadChunks).values({
        payloadId: id,
        number: chunkNumber,
        bytes: encrypt(chunk, toChunkAad(id, chunkNumber)),
      })
      chunkNumber += 1
    }
    if (payloadSize === 0) throw createFieldError('File', 'The file is empty.')
    const sha256 = hash.digest('hex')
    await db.update(filePayloads).set({ size: payloadSize, sha256 }).where(eq(filePayloads.id, id))
    return { id, name, contentType, size: payloadSize, sha256 }
  } catch (error) {
    await deletePayload(id)
    throw error
  }
}

export async function* readPayloadChunks(id: string): AsyncGenerator<Buffer> {
  const db = await getDatabase()
  for (let number = 0; ; number += 1) {
    const [row] = await db
      .select({ bytes: filePayloadChunks.bytes })
      .from(filePayloadChunks)
      .where(and(eq(filePayloadChunks.payloadId, id), eq(filePayloadChunks.number, number)))
    if (!row) return
    yield decrypt(row.bytes, toChunkAad(id, number))
  }
}

/** Decrypts the first chunk, and throws if that fails. Called before any byte is sent. */
export async function requireReadablePayload(id: string): Promise<void> {
  await readPayloadChunks(id).next()
}

/** The boundary is derived from the action id, so that a replay sends the same bytes. */
export function toMultipartFrame(
  actionId: string,
  file: Pick<Payload, 'name' | 'contentType'>,
): { head: Buffer; tail: Buffer; contentType: string } {
  const boundary = `paydesk-${actionId}`
  const safeFileName = file.name.replace(/[\r\n"\\]/g, '_')
  const partHead = `--${boundary}\r\nContent-Disposition: form-data; name="File"; filename="${safeFileName}"\r\nContent-Type: ${file.contentType}\r\n\r\n`
  return {
    head: Buffer.from(partHead),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

/** Each call of `stream` creates a new stream of the same bytes. `length` is exact, in bytes. */
export function createMultipartBody(
  actionId: string,
  file: Payload,
): { stream: () => Readable; length: number } {
  const { head, tail } = toMultipartFrame(actionId, file)
  async function* generateBytes() {
    yield head
    yield* readPayloadChunks(file.id)
    yield tail
  }
  return {
    stream: () => Readable.from(generateBytes(), { objectMode: false }),
    length: head.length + file.size + tail.length,
  }
}

/** Deletes only the bytes: size, hash, type and name stay. */
export async function deletePayloadBytes(
  tx: Db,
  id: string | null,
  reason: ReleaseReason,
): Promise<void> {
  if (!id) return
  await tx.delete(filePayloadChunks).where(eq(filePayloadChunks.payloadId, id))
  await tx
    .update(filePayloads)
    .set({ releasedAt: sql`now()`, releaseReason: reason })
    .where(and(eq(filePayloads.id, id), isNull(filePayloads.releasedAt)))
}

/**
 * Called when the file will not be sent again. Keeps the bytes of an attached document, unless
 * `PROOF_RETENTION_DAYS` is 0. Also keeps them while people decide: the file may be attached.
 */
export async function settlePayload(
  tx: Db,
  { payloadId, state }: Pick<typeof actions.$inferSelect, 'payloadId' | 'state'>,
): Promise<void> {
  const mayBeAttached = state === 'applied' || state === 'needs_human'
  if (!mayBeAttached || env().proofRetentionDays === 0)
    await deletePayloadBytes(tx, payloadId, 'settled')
}

/** Deletes a file whose action was not recorded. */
export async function deletePayload(id: string): Promise<void> {
  const db = await getDatabase()
  await db.delete(filePayloads).where(eq(filePayloads.id, id))
}

/** Deletes files that belong to no action: their upload failed before the action was recorded. */
export async function deleteOrphanedPayloads(): Promise<void> {
  const db = await getDatabase()
  const ownedCondition = sql`exists (select 1 from ${actions} where ${actions.payloadId} = ${filePayloads.id})`
  await db
    .delete(filePayloads)
    .where(
      and(
        isNull(filePayloads.releasedAt),
        lt(filePayloads.createdAt, sql`now() - interval '1 hour'`),
        sql`not ${ownedCondition}`,
      ),
    )
}
