import 'server-only'
import { Client, type Dispatcher, Pool } from 'undici'
import { times } from '@/lib/server/config/env'
import { ExchangeFailed, ReadFault } from './faults'

/** The longest time that an idle line is kept, in milliseconds. */
const idleAtMost = 30_000
/**
 * What is taken off the time a service says it keeps a line (`Keep-Alive: timeout=`), in milliseconds: its clock began before ours, undici's timers
 * are up to a second late, and the next request takes its time to get there. A line with a hint of no more than this is not kept.
 */
const hintMargin = 3000

const size = () => ({ connections: 64, pipelining: 1, connect: { timeout: times().responseHeaders.connect } })

const takenBy = new WeakMap<Dispatcher.DispatchOptions, Line>()

/** A place in the pool for one line after another. It knows what its present one has carried, which undici tells nobody. */
class Line extends Client {
  #carried = 0

  constructor(origin: URL, options: Client.Options) {
    super(origin, options)
    this.on('connect', () => {
      this.#carried = 0
    })
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    takenBy.set(request, this)
    return super.dispatch(request, handler)
  }

  /** Counts a request that is about to be written; whether the line has carried others before it. */
  begin(): boolean {
    this.#carried += 1
    return this.#carried > 1
  }
}

/** Notes that a request is about to be written; true where it goes out on a line that was kept, and so may have been cut without our knowing. */
const beginsOnKeptLine = (request: Dispatcher.DispatchOptions): boolean => takenBy.get(request)?.begin() ?? false

/** Lines to a service that are kept for the next request: for `idle` milliseconds, or for less than the service says it keeps them. */
export const keptLines = (origin: string, idle = idleAtMost): Pool =>
  new Pool(origin, {
    ...size(),
    keepAliveTimeout: idle,
    // Without this a long hint would keep a line for as long as it says.
    keepAliveMaxTimeout: idle,
    keepAliveTimeoutThreshold: hintMargin,
    factory: (to, options) => new Line(to, options),
  })

/** Lines that carry one request each, for those whose kept line was dead: the others that are kept may be as dead. Requests say `reset`. */
export const freshLines = (origin: string): Pool => new Pool(origin, size())

/** The most of an answer that is read, in bytes. Far above a page of a thousand payments, far below what would hurt. */
const most = 2 * 1024 * 1024

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
 * always inside an `ExchangeFailed` that says whether it had begun, and on what line. A request still queued at its deadline is given up there and then. It works
 * below undici's streams and abort signals, which cost half as much again as the call itself.
 */
export function exchange(pool: Pool, request: Dispatcher.DispatchOptions, deadline: number, signal?: AbortSignal): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let answer: Omit<Exchanged, 'text'> | undefined
    let length = 0
    let running: Dispatcher.DispatchController | undefined
    let stopped: ReadFault | undefined
    let onKeptLine = false
    let heard = false
    const fail = (error: unknown) => {
      settle()
      reject(new ExchangeFailed(running !== undefined, error, onKeptLine, heard))
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
        onKeptLine = beginsOnKeptLine(request)
      },
      // The one word there is of an answer before its headers are read.
      onResponseStarted: () => {
        heard = true
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
