import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'

/** One file part without its content: only size, name, hash and first bytes are needed. */
export type FilePart = { part: string; name: string; bytes: number; sha256: string; head: Buffer }

/** A multipart body after it was read: the raw hash, the file parts, the names of text parts, and the error if it is invalid. */
export type Upload = { sha256: string; bytes: number; files: FilePart[]; fields: string[]; broken?: string }

const headLength = 16

async function describePart(part: string, name: string, stream: Readable): Promise<FilePart> {
  const hash = createHash('sha256')
  let bytes = 0
  let head = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    if (head.length < headLength) head = Buffer.concat([head, chunk]).subarray(0, headLength)
  }
  return { part, name, bytes, sha256: hash.digest('hex'), head }
}

function openParser(contentType: string, upload: Upload, parts: Promise<FilePart>[]): BusboyInstance | undefined {
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      // A part with a file name is a file, whatever its type.
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      limits: { files: 8, fields: 8, fieldSize: 1024, headerPairs: 32 },
    })
    parser.on('file', (part, stream, name) => {
      const described = describePart(part, name, stream)
      // If the body breaks off, nothing awaits its parts, and an unhandled rejection would end the process.
      described.catch(() => undefined)
      parts.push(described)
    })
    parser.on('field', (name) => upload.fields.push(name))
    parser.on('error', (error) => {
      upload.broken ??= error instanceof Error ? error.message : 'unreadable'
    })
    return parser
  } catch {
    return undefined
  }
}

/**
 * Reads a multipart body as a stream and hashes the raw bytes and each part; memory does not grow with the file. Never throws for invalid
 * input: `broken` describes it, after the whole body was read, so that the client can receive the response.
 */
export async function readUpload(incoming: IncomingMessage): Promise<Upload> {
  const upload: Upload = { sha256: '', bytes: 0, files: [], fields: [] }
  const fileParts: Promise<FilePart>[] = []
  const parser = openParser(incoming.headers['content-type'] ?? '', upload, fileParts)
  if (!parser) upload.broken = 'the Content-Type must be multipart/form-data with a boundary'
  const finished = parser && Promise.race([once(parser, 'finish'), once(parser, 'error')]).catch(() => undefined)
  const hash = createHash('sha256')
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    hash.update(chunk)
    upload.bytes += chunk.length
    if (parser && upload.broken === undefined && !parser.write(chunk)) await Promise.race([once(parser, 'drain'), finished])
  }
  if (parser && upload.broken === undefined) {
    parser.end()
    await finished
  }
  upload.sha256 = hash.digest('hex')
  if (upload.broken === undefined) upload.files = await Promise.all(fileParts)
  return upload
}
