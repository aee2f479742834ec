import 'server-only'
import type { Dispatcher, Pool } from 'undici'
import { ExchangeFailed, ReadFault } from './faults'

/** The most of an answer that is read, in bytes. Far above a page of a thousand payments, far below what would hurt. */
const most = 2 * 1024 * 1024

/** An answer that was read whole. */
export type Exchanged = { status: number; headers: Record<string, string>; text: string }

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

function plainHeaders(headers: Headers): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value
  return plain
}

const textOf = (parts: Buffer[]): string => {
  const [only] = parts
  return (parts.length === 1 && only ? only : Buffer.concat(parts)).toString('utf8')
}

/**
 * Sends one request and reads its answer as text, within `deadline` milliseconds. Rejects with `ReadFault` for more than 2 MB, for a compressed
 * body, which nobody asked for, at the deadline, and when `signal` says that the reader is gone; with the client's own error for all else,
 * always inside an `ExchangeFailed` that says whether it had begun. A request still queued at its deadline is given up there and then. It works
 * below undici's streams and abort signals, which cost half as much again as the call itself.
 */
export function exchange(pool: Pool, request: Dispatcher.DispatchOptions, deadline: number, signal?: AbortSignal): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let answer: Omit<Exchanged, 'text'> | undefined
    let length = 0
    let running: Dispatcher.DispatchController | undefined
    let stopped: ReadFault | undefined
    const fail = (error: unknown) => {
      settle()
      reject(new ExchangeFailed(running !== undefined, error))
    }
    const stop = (fault: ReadFault['fault']) => {
      stopped ??= new ReadFault(fault)
      if (running) running.abort(stopped)
      else fail(stopped)
    }
    const gone = () => stop('reader_gone')
    const late = setTimeout(() => stop('deadline'), deadline)
    const settle = () => {
      clearTimeout(late)
      signal?.removeEventListener('abort', gone)
    }
    signal?.addEventListener('abort', gone)
    if (signal?.aborted) gone()
    pool.dispatch(request, {
      onRequestStart: (controller) => {
        // Given up while it was queued: it must not be written now, and nobody waits for it any more.
        if (stopped) return controller.abort(stopped)
        running = controller
      },
      onResponseStart: (_, status, headers) => {
        // What is below 200 only announces the answer.
        if (status < 200) return
        answer = { status, headers: plainHeaders(headers) }
        if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') stop('encoded')
      },
      onResponseData: (_, part) => {
        length += part.length
        parts.push(part)
        if (length > most) stop('too_large')
      },
      onResponseEnd: () => {
        settle()
        if (!answer) return reject(new Error('the answer ended before it began'))
        resolve({ ...answer, text: textOf(parts) })
      },
      onResponseError: (_, error) => fail(error),
    })
  })
}
