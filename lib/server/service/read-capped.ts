import 'server-only'
import type { Readable } from 'node:stream'
import { ReadFault } from './faults'

/** The most of an answer that is read, in bytes. Far above a page of a thousand payments, far below what would hurt. */
const most = 2 * 1024 * 1024

/**
 * Reads an answer's body as text. Throws `ReadFault` for more than 2 MB and for a compressed body, which nobody asked for; throws what the
 * stream throws when the line is cut before the declared length.
 */
export async function readCapped(body: Readable, headers: Record<string, string>): Promise<string> {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') {
    body.destroy()
    throw new ReadFault('encoded')
  }
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    length += part.length
    if (length > most) {
      body.destroy()
      throw new ReadFault('too_large')
    }
    parts.push(part)
  }
  const [only] = parts
  return (parts.length === 1 && only ? only : Buffer.concat(parts)).toString('utf8')
}
