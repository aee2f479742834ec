import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What is known of a request's body once it was read. `sha256` is over the raw bytes as they arrived. */
export type RawBody = { sha256: string; bytes: number; text: string; tooLarge: boolean }

const jsonLimit = 1_048_576

/** Reads a body that an operation takes as JSON or ignores. Above 1 MiB the rest is hashed and dropped, and `tooLarge` is set. */
export async function readBody(incoming: IncomingMessage): Promise<RawBody> {
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    if (bytes <= jsonLimit) chunks.push(chunk)
  }
  const tooLarge = bytes > jsonLimit
  return { sha256: hash.digest('hex'), bytes, text: tooLarge ? '' : Buffer.concat(chunks).toString('utf8'), tooLarge }
}
