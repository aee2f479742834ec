import { notReadable } from '@/lib/operations/answer'
import { CallError } from './call-error'
import { drawnFor } from './drawn-for'
import { confirmed } from './step-up/confirmed'

/** `unreadable` are the ids of the rows that could not be read, as the file has them. */
type RecordCounter = { take: (piece: string) => void; count: () => number; unreadable: () => readonly string[] }

/** The line of a row that could not be read: its id, nothing, and that in the third place, where every other row has a word of its own. */
const isUnreadable = new RegExp(`^([^,"]*),,${notReadable},`)

/** As much of a record as it takes to see that it is such a line. */
const enough = 100

/**
 * Counts the records of RFC 4180 text that comes in pieces, so that what arrived can be held against what was promised: a record ends at a line
 * feed outside quotes. Doubled quotes inside a value open and close it again, which changes nothing.
 */
export function recordCounter(): RecordCounter {
  const unreadable: string[] = []
  let quoted = false
  let records = 0
  let atStart = true
  let begun = ''
  const end = () => {
    const [, id] = isUnreadable.exec(begun) ?? []
    if (id !== undefined) unreadable.push(id)
    records += 1
    begun = ''
  }
  const step = (character: string) => {
    if (character === '"') quoted = !quoted
    atStart = character === '\n' && !quoted
    if (atStart) end()
    else if (begun.length < enough) begun += character
  }
  return {
    take(piece) {
      for (const character of piece) step(character)
    },
    count: () => (atStart ? records : records + 1),
    unreadable: () => unreadable,
  }
}

/** How far an export is: rows promised, null where the service does not count them, and rows that came. */
export type ExportProgress = { promised: number | null; written: number }

/**
 * A whole file, with what was promised and what came; they differ only where rows changed meanwhile. `unreadable` are the ids of rows that
 * could not be read and have no more than that in the file.
 */
export type ExportFile = ExportProgress & { unreadable: readonly string[]; name: string; blob: Blob }

async function begin(url: string, signal: AbortSignal, headers: Record<string, string>) {
  const response = await fetch(url, { signal, headers: { ...drawnFor(), ...headers }, cache: 'no-store', redirect: 'error' }).catch(
    (cause: unknown) => {
      if (signal.aborted) throw cause
      throw CallError.noAnswer(false, cause)
    },
  )
  const { body } = response
  if (!response.ok || !body) throw CallError.fromAnswer(await response.json().catch(() => ({})), response.status)
  return { response, body }
}

/**
 * Fetches an export and counts its rows as they come; the head is no row. A file that breaks off is not given: throws `CallError`, or the
 * browser's AbortError when it was cancelled.
 */
export async function fetchExport(url: string, signal: AbortSignal, onProgress: (progress: ExportProgress) => void): Promise<ExportFile> {
  const { response, body } = await confirmed(url, (headers) => begin(url, signal, headers))
  const counted = response.headers.get('export-count')
  const promised = counted === null ? null : Number(counted)
  const [, name = 'list.csv'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const counter = recordCounter()
  const decoder = new TextDecoder()
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = body.getReader()
  for (;;) {
    const next = await reader.read().catch((cause: unknown) => {
      if (signal.aborted) throw cause
      throw new CallError('unavailable', 'The export broke off, so no file was saved. Try again, or narrow the search.', { cause })
    })
    if (next.done) break
    parts.push(next.value)
    counter.take(decoder.decode(next.value, { stream: true }))
    onProgress({ promised, written: Math.max(0, counter.count() - 1) })
  }
  const written = Math.max(0, counter.count() - 1)
  return {
    promised,
    written,
    unreadable: counter.unreadable(),
    name,
    blob: new Blob(parts, { type: response.headers.get('content-type') ?? 'text/csv' }),
  }
}

/** Has the browser save a file. */
export function saveFile({ blob, name }: Pick<ExportFile, 'blob' | 'name'>): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
