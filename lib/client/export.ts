import { notReadableText } from '@/lib/operations/answer'
import { CallError } from './call-error'
import { getPagePersonHeader } from './drawn-for'
import { withStepUp } from './step-up/with-step-up'

/** `unreadable` returns the ids of the rows that could not be parsed. */
type RecordCounter = {
  take: (piece: string) => void
  count: () => number
  unreadable: () => readonly string[]
}

/** Matches the line of a row that could not be parsed; other lines differ in the third cell. */
const unreadableLinePattern = new RegExp(`^([^,"]*),,${notReadableText},`)

/** Characters kept from the start of each line, to match `unreadableLinePattern`. */
const linePrefixLength = 100

/**
 * Counts the records of a CSV file while it arrives. A doubled quote (RFC 4180) needs no special
 * case: it ends the quoted text and starts it again.
 */
export function createRecordCounter(): RecordCounter {
  const unreadableIds: string[] = []
  let isInQuotes = false
  let recordCount = 0
  let isAtLineStart = true
  let linePrefix = ''
  const endRecord = () => {
    const [, id] = unreadableLinePattern.exec(linePrefix) ?? []
    if (id !== undefined) unreadableIds.push(id)
    recordCount += 1
    linePrefix = ''
  }
  const handleCharacter = (character: string) => {
    if (character === '"') isInQuotes = !isInQuotes
    isAtLineStart = character === '\n' && !isInQuotes
    if (isAtLineStart) endRecord()
    else if (linePrefix.length < linePrefixLength) linePrefix += character
  }
  return {
    take(piece) {
      for (const character of piece) handleCharacter(character)
    },
    count: () => (isAtLineStart ? recordCount : recordCount + 1),
    unreadable: () => unreadableIds,
  }
}

/**
 * `promised`: the number of rows that the server announced; null if it did not count them.
 * `written`: the number of rows received so far.
 */
export type ExportProgress = { promised: number | null; written: number }

/**
 * `promised` and `written` differ only if rows changed during the export. `unreadable` has the ids
 * of the rows that could not be parsed: the file contains only their ids.
 */
export type ExportFile = ExportProgress & {
  unreadable: readonly string[]
  name: string
  blob: Blob
}

async function startExport(url: string, signal: AbortSignal, headers: Record<string, string>) {
  const exportResponse = await fetch(url, {
    signal,
    headers: { ...getPagePersonHeader(), ...headers },
    cache: 'no-store',
    redirect: 'error',
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw CallError.noAnswer(false, cause)
  })
  const { body } = exportResponse
  if (!exportResponse.ok || !body)
    throw CallError.fromAnswer(await exportResponse.json().catch(() => ({})), exportResponse.status)
  return { response: exportResponse, body }
}

/** Never returns a partial file. Throws `CallError`, or AbortError if the person canceled. */
export async function fetchExport(
  url: string,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<ExportFile> {
  const { response, body } = await withStepUp(url, (headers) => startExport(url, signal, headers))
  const exportCountHeader = response.headers.get('export-count')
  const promisedRowCount = exportCountHeader === null ? null : Number(exportCountHeader)
  const [, name = 'list.csv'] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const recordCounter = createRecordCounter()
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
    recordCounter.take(decoder.decode(nextChunk.value, { stream: true }))
    onProgress({ promised: promisedRowCount, written: Math.max(0, recordCounter.count() - 1) })
  }
  const writtenRowCount = Math.max(0, recordCounter.count() - 1)
  return {
    promised: promisedRowCount,
    written: writtenRowCount,
    unreadable: recordCounter.unreadable(),
    name,
    blob: new Blob(chunks, { type: response.headers.get('content-type') ?? 'text/csv' }),
  }
}

export function saveFile({ blob, name }: Pick<ExportFile, 'blob' | 'name'>): void {
  const blobUrl = URL.createObjectURL(blob)
  const downloadLink = document.createElement('a')
  downloadLink.href = blobUrl
  downloadLink.download = name
  downloadLink.click()
  URL.revokeObjectURL(blobUrl)
}
