import { CallError } from './call-error'
import { recordCounter } from './csv'

/** How far an export is: rows promised, rows that came. */
export type ExportProgress = { promised: number; written: number }

/** A whole file, with what was promised and what came; they differ only where payments changed meanwhile. */
export type ExportFile = ExportProgress & { name: string; blob: Blob }

/**
 * Fetches an export and counts its rows as they come; the head is no row. A file that breaks off is not given: throws `CallError`, or the
 * browser's AbortError when it was cancelled.
 */
export async function fetchExport(url: string, signal: AbortSignal, onProgress: (progress: ExportProgress) => void): Promise<ExportFile> {
  const response = await fetch(url, { signal, cache: 'no-store', redirect: 'error' }).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw CallError.noAnswer(false, cause)
  })
  if (!response.ok || !response.body) throw CallError.fromAnswer(await response.json().catch(() => ({})), response.status)
  const promised = Number(response.headers.get('export-count') ?? 0)
  const [, name = 'payments.csv'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const counter = recordCounter()
  const decoder = new TextDecoder()
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body.getReader()
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
  return { promised, written: Math.max(0, counter.count() - 1), name, blob: new Blob(parts, { type: 'text/csv' }) }
}
