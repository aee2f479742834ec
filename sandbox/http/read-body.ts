import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A request body after it was read. `sha256` is over the raw bytes. */
export type RawBody = {
  sha256: string
  bytes: number
  text: string
  tooLarge: boolean
  /** Reason why the bytes are not text. */
  unreadable?: string
}

const jsonLimit = 1_048_576

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(chunks: readonly Buffer[], encoding = 'identity'): { text: string; unreadable?: string } {
  if (encoding !== 'identity') return { text: '', unreadable: 'must not be compressed: send no Content-Encoding' }
  try {
    return { text: utf8.decode(Buffer.concat(chunks)) }
  } catch {
    return { text: '', unreadable: 'must be UTF-8' }
  }
}

/** Reads a body that the operation parses as JSON or ignores. Bytes above 1 MiB are hashed and dropped, and `tooLarge` is set. */
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
  const read = tooLarge ? { text: '' } : textOf(chunks, incoming.headers['content-encoding'])
  return { sha256: hash.digest('hex'), bytes, tooLarge, ...read }
}
