import { CallError } from './call-error'
import { getPagePersonHeader } from './drawn-for'

/** Returns the whole file. Throws `CallError`, or AbortError after an abort. */
export async function fetchDocument(url: string, signal: AbortSignal): Promise<Blob> {
  const toNoAnswer = (cause: unknown) => {
    if (signal.aborted) throw cause
    throw CallError.noAnswer(false, cause)
  }
  const response = await fetch(url, {
    signal,
    headers: getPagePersonHeader(),
    cache: 'no-store',
    redirect: 'error',
  }).catch(toNoAnswer)
  if (response.ok) return response.blob().catch(toNoAnswer)
  const body = await response.json().catch(() => null)
  throw body ? CallError.fromAnswer(body, response.status) : CallError.noAnswer(false)
}
