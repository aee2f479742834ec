import 'server-only'
import type { FileProblem } from '@/lib/domain/file-rules'
import { checkFile } from '@/lib/domain/files/check-file'
import { chunksOf, type Payload } from './payloads'

let last: Promise<unknown> = Promise.resolve()

async function check({ id, name, size }: Payload): Promise<FileProblem | null> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of chunksOf(id)) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return checkFile(name, bytes)
}

/**
 * Checks a kept file by its content; null means that it may be sent. One at a time: the check needs the whole file in memory, and what it
 * unpacks besides.
 */
export function checkKept(file: Payload): Promise<FileProblem | null> {
  const mine = last.then(() => check(file))
  last = mine.catch(() => undefined)
  return mine
}
