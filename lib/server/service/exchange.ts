import 'server-only'
import { Client, type Dispatcher, Pool } from 'undici'
import { times } from '@/lib/server/config/env'
import { ExchangeFailed, ReadFault } from './faults'

/** Longest time that an idle connection is kept (milliseconds). */
const idleAtMost = 30_000
/**
 * Margin subtracted from the keep-alive time of a service (`Keep-Alive: timeout=`), in milliseconds. The service's clock begins before
 * ours, undici's timers are up to a second late, and the next request needs time. A connection with no more than this is not kept.
 */
const hintMargin = 3000

const size = () => ({ connections: 64, pipelining: 1, connect: { timeout: times().responseHeaders.connect } })

const takenBy = new WeakMap<Dispatcher.DispatchOptions, Line>()

/** A pool slot that holds one connection after another. It counts the requests of the current connection, which undici does not expose. */
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

  /** Counts a request that is about to be written. True if the connection has carried others before it. */
  begin(): boolean {
    this.#carried += 1
    return this.#carried > 1
  }
}

/** Counts a request that is about to be written. True if its connection was kept, and so may be closed without our knowledge. */
const beginsOnKeptLine = (request: Dispatcher.DispatchOptions): boolean => takenBy.get(request)?.begin() ?? false

/** Connections that are kept for the next request: for `idle` milliseconds, or less if the service keeps them for less. */
export const keptLines = (origin: string, idle = idleAtMost): Pool =>
  new Pool(origin, {
    ...size(),
    keepAliveTimeout: idle,
    // Without this limit a long hint would extend the time.
    keepAliveMaxTimeout: idle,
    keepAliveTimeoutThreshold: hintMargin,
    factory: (to, options) => new Line(to, options),
  })

/**
 * Connections for one request each, for a retry after a dead kept connection: the other kept ones may be dead too. Requests must set
 * `reset`.
 */
export const freshLines = (origin: string): Pool => new Pool(origin, size())

/** Maximum size of a response (bytes). Far above a page of a thousand payments. */
const maxBytes = 2 * 1024 * 1024

export type Exchanged = { status: number; headers: Record<string, string>; text: string }

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

function plainHeaders(headers: Headers): Record<string, string> {
  const joinedHeaders: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joinedHeaders[name] = Array.isArray(value) ? value.join(', ') : value
  return joinedHeaders
}

const textOf = (parts: Buffer[]): string => {
  const [only] = parts
  return (parts.length === 1 && only ? only : Buffer.concat(parts)).toString('utf8')
}

/**
 * Sends one request and reads its response as text, within `deadline` milliseconds. Rejects with an `ExchangeFailed` around the cause,
 * which records if the exchange had begun and the state of its connection. The cause is a `ReadFault` if the response exceeds 2 MB or is
 * compressed, at the deadline, or after an abort of `signal`; else it is the client's own error. A request still queued at its deadline
 * fails then. It works below undici's streams and abort signals, which add half the cost of the call itself.
 */
export function exchange(pool: Pool, request: Dispatcher.DispatchOptions, deadline: number, signal?: AbortSignal): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
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
    const onAbort = () => stop('reader_gone')
    const timer = setTimeout(() => stop('deadline'), deadline)
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    pool.dispatch(request, {
      onRequestStart: (controller) => {
        // The request failed while it was queued, so it must not be written now.
        if (stopped) return controller.abort(stopped)
        running = controller
        onKeptLine = beginsOnKeptLine(request)
      },
      // The only event of a response before its headers are parsed.
      onResponseStarted: () => {
        heard = true
      },
      onResponseStart: (_, status, headers) => {
        // A status below 200 only announces the response.
        if (status < 200) return
        answer = { status, headers: plainHeaders(headers) }
        if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') stop('encoded')
      },
      onResponseData: (_, part) => {
        length += part.length
        chunks.push(part)
        if (length > maxBytes) stop('too_large')
      },
      onResponseEnd: () => {
        settle()
        if (!answer) return reject(new Error('the answer ended before it began'))
        resolve({ ...answer, text: textOf(chunks) })
      },
      onResponseError: (_, error) => fail(error),
    })
  })
}
