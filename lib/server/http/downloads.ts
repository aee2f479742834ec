import 'server-only'
import { setImmediate as othersServed } from 'node:timers/promises'
import { AppError } from '@/lib/errors'

/** Ids of people with a download in progress. A person can run one download at a time per process. */
const downloading = new Set<string>()

/**
 * Creates the response of a download. `make` must call `end` when the file ends. Throws `too_many` if the person has another download in
 * progress. If `make` throws, the download ends and the error is rethrown.
 */
export async function download(personId: string, make: (end: () => void) => Promise<Response>): Promise<Response> {
  if (downloading.has(personId)) throw new AppError('too_many', 'You have an export under way: wait for it or cancel it')
  downloading.add(personId)
  const end = () => void downloading.delete(personId)
  try {
    return await make(end)
  } catch (error) {
    end()
    throw error
  }
}

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Reads one page of a file. All files of the process take turns page by page, and waiting requests run between two pages. The embedded
 * store runs one statement at a time.
 */
export function readPage<T>(read: () => Promise<T>): Promise<T> {
  const page = lastTurn.then(() => othersServed()).then(read)
  lastTurn = page.catch(() => undefined)
  return page
}

/** Returns a response body that produces its parts on demand. Calls `end` once: after the last part, an error, or a canceled download. */
export function streamOf(parts: AsyncGenerator<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
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
