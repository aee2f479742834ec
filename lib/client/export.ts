import { notReadable } from '@/lib/operations/answer'
import { CallError } from './call-error'
import { drawnFor } from './drawn-for'
import { confirmed } from './step-up/confirmed'

/** `unreadable`: ids of the rows that could not be read, as the file contains them. */
type RecordCounter = { take: (piece: string) => void; count: () => number; unreadable: () => readonly string[] }

/** Matches the line of an unreadable row: id, empty field, `notReadable`. All other rows have another word in third place. */
const isUnreadable = new RegExp(`^([^,"]*),,${notReadable},`)

/** Characters of a record that suffice to match `isUnreadable`. */
const enough = 100

/**
 * Counts the records of RFC 4180 text that arrives in chunks, to compare them with the promised number. A record ends at a line feed
 * outside quotes. Doubled quotes inside a value close and open it again, which changes nothing.
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

/** Rows of an export so far. `promised` is null if the service does not count its rows. */
export type ExportProgress = { promised: number | null; written: number }

/**
 * A complete export file. `promised` and `written` differ only if rows changed during the export. `unreadable`: ids of rows that could not
 * be read; the file has no other data of them.
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
 * Fetches an export and counts its rows, without the header row, as they arrive. Never returns a partial file. Throws `CallError`, or the
 * browser's AbortError if the export was canceled.
 */
export async function fetchExport(url: string, signal: AbortSignal, onProgress: (progress: ExportProgress) => void): Promise<ExportFile> {
  const { response, body } = await confirmed(url, (headers) => begin(url, signal, headers))
  const counted = response.headers.get('export-count')
  const promised = counted === null ? null : Number(counted)
  const [, name = 'list.csv'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const counter = recordCounter()
  const decoder = new TextDecoder()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = body.getReader()
  for (;;) {
    const next = await reader.read().catch((cause: unknown) => {
      if (signal.aborted) throw cause
      throw new CallError('unavailable', 'The export broke off, so no file was saved. Try again, or narrow the search.', { cause })
    })
    if (next.done) break
    chunks.push(next.value)
    counter.take(decoder.decode(next.value, { stream: true }))
    onProgress({ promised, written: Math.max(0, counter.count() - 1) })
  }
  const written = Math.max(0, counter.count() - 1)
  return {
    promised,
    written,
    unreadable: counter.unreadable(),
    name,
    blob: new Blob(chunks, { type: response.headers.get('content-type') ?? 'text/csv' }),
  }
}

export function saveFile({ blob, name }: Pick<ExportFile, 'blob' | 'name'>): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
