import { notReadableText } from '@/lib/operations/answer'
import { CallError } from './call-error'
import { getPagePersonHeader } from './drawn-for'
import { withStepUp } from './step-up/with-step-up'

/**
 * Counts the lines of a file that arrives in chunks (`take`). `unreadable` returns the ids of the
 * rows that could not be parsed.
 */
type RecordCounter = {
  take: (piece: string) => void
  count: () => number
  unreadable: () => readonly string[]
}

/**
 * Matches the line of a row that could not be parsed: an id, an empty cell, `notReadableText`.
 * Other lines differ in the third cell.
 */
const unreadableLine = new RegExp(`^([^,"]*),,${notReadableText},`)

/** Characters kept from the start of each line, to match `unreadableLine`. */
const linePrefixLength = 100

/**
 * Returns a counter for the lines of a CSV file (RFC 4180) that arrives in chunks. A line ends at a
 * line feed outside of quotes. A doubled quote inside a value needs no special case: the first one
 * ends the quoted text, and the second one starts it again.
 */
export function createRecordCounter(): RecordCounter {
  const unreadableIds: string[] = []
  let isInQuotes = false
  let recordCount = 0
  let isAtLineStart = true
  let linePrefix = ''
  const endRecord = () => {
    const [, id] = unreadableLine.exec(linePrefix) ?? []
    if (id !== undefined) unreadableIds.push(id)
    recordCount += 1
    linePrefix = ''
  }
  const readCharacter = (character: string) => {
    if (character === '"') isInQuotes = !isInQuotes
    isAtLineStart = character === '\n' && !isInQuotes
    if (isAtLineStart) endRecord()
    else if (linePrefix.length < linePrefixLength) linePrefix += character
  }
  return {
    take(piece) {
      for (const character of piece) readCharacter(character)
    },
    count: () => (isAtLineStart ? recordCount : recordCount + 1),
    unreadable: () => unreadableIds,
  }
}

/**
 * `written`: the number of rows that have arrived. `promised`: the expected number, null if the
 * service does not count its rows.
 */
export type ExportProgress = { promised: number | null; written: number }

/**
 * A complete export file. `promised` and `written` differ only if rows changed during the export.
 * `unreadable` has the ids of the rows that could not be parsed. The file contains only the ids of
 * these rows.
 */
export type ExportFile = ExportProgress & {
  unreadable: readonly string[]
  name: string
  blob: Blob
}

async function startExport(url: string, signal: AbortSignal, headers: Record<string, string>) {
  const response = await fetch(url, {
    signal,
    headers: { ...getPagePersonHeader(), ...headers },
    cache: 'no-store',
    redirect: 'error',
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw CallError.noAnswer(false, cause)
  })
  const { body } = response
  if (!response.ok || !body)
    throw CallError.fromAnswer(await response.json().catch(() => ({})), response.status)
  return { response, body }
}

/**
 * Downloads an export and counts its rows (without the header line) as they arrive. Never returns a
 * partial file. Throws `CallError`, or the browser's AbortError if the person canceled the export.
 */
export async function fetchExport(
  url: string,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<ExportFile> {
  const { response, body } = await withStepUp(url, (headers) => startExport(url, signal, headers))
  const exportCountHeader = response.headers.get('export-count')
  const promised = exportCountHeader === null ? null : Number(exportCountHeader)
  const [, name = 'list.csv'] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const counter = createRecordCounter()
  const decoder = new TextDecoder()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = body.getReader()
  for (;;) {
    const nextChunk = await reader.read().catch((cause: unknown) => {
      if (signal.aborted) throw cause
      throw new CallError(
        'unavailable',
        'The export broke off, so no file was saved. Try again, or narrow the search.',
        { cause },
      )
    })
    if (nextChunk.done) break
    chunks.push(nextChunk.value)
    counter.take(decoder.decode(nextChunk.value, { stream: true }))
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
