import 'server-only'
import { setImmediate as othersServed } from 'node:timers/promises'
import { AppError } from '@/lib/errors'

/** People with a download in progress. Each person can have one per process. */
const downloaderIds = new Set<string>()

/**
 * `createResponse` must call `end` when the file ends; its errors end the download and are
 * rethrown. Throws `too_many` if the person has another download in progress.
 */
export async function runDownload(
  personId: string,
  createResponse: (end: () => void) => Promise<Response>,
): Promise<Response> {
  if (downloaderIds.has(personId))
    throw new AppError('too_many', 'You have an export under way: wait for it or cancel it')
  downloaderIds.add(personId)
  const endDownload = () => void downloaderIds.delete(personId)
  try {
    return await createResponse(endDownload)
  } catch (error) {
    endDownload()
    throw error
  }
}

let lastPageRead: Promise<unknown> = Promise.resolve()

/**
 * All downloads of the process take turns, one page at a time, and other requests run between two
 * pages: the embedded store runs only one statement at a time.
 */
export function readPageInOrder<T>(read: () => Promise<T>): Promise<T> {
  const pendingPage = lastPageRead.then(() => othersServed()).then(read)
  lastPageRead = pendingPage.catch(() => undefined)
  return pendingPage
}

/**
 * Produces each part when the client reads it. Calls `end` once: after the last part, an error or a
 * cancellation.
 */
export function toDownloadStream(
  parts: AsyncGenerator<Uint8Array>,
  end: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await parts.next()
        if (!done) return controller.enqueue(value)
        end()
        controller.close()
      } catch (error) {
        end()
        throw error
      }
    },
    async cancel() {
      end()
      await parts.return(undefined)
    },
  })
}
