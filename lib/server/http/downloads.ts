import 'server-only'
import { setImmediate as othersServed } from 'node:timers/promises'
import { AppError } from '@/lib/errors'

/** The people who download a file now, by id. A person downloads one file at a time from each process. */
const downloading = new Set<string>()

/**
 * Makes the answer of a download, which calls `end` when the file ends. Throws `too_many` if the person downloads another file, and what `make` throws: the
 * download has ended then.
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
 * Reads one page of a file. All files of the process take turns, page by page, and waiting requests are served between two pages: an embedded store answers one
 * statement at a time.
 */
export function readPage<T>(read: () => Promise<T>): Promise<T> {
  const page = lastTurn.then(() => othersServed()).then(read)
  lastTurn = page.catch(() => undefined)
  return page
}

/** Returns the body of an answer from its parts, made as fast as it is read. `end` is called once: after the last part, an error, or a cancelled download. */
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
