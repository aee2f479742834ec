import 'server-only'
import { Client, type Dispatcher, Pool } from 'undici'
import { times } from '@/lib/server/config/env'
import { ExchangeError, ReadFaultError } from './faults'

/** Maximum time for which an idle connection is kept (milliseconds). */
const maxIdleMs = 30_000
/**
 * Milliseconds that are subtracted from the keep-alive time that a service announces
 * (`Keep-Alive: timeout=`). The clock of the service starts before ours, the timers of undici are
 * up to a second late, and the next request takes time to arrive. A connection with a shorter
 * keep-alive time than this is not reused.
 */
const keepAliveMarginMs = 3000

const buildPoolOptions = () => ({
  connections: 64,
  pipelining: 1,
  connect: { timeout: times().responseHeaders.connect },
})

const slotByRequest = new WeakMap<Dispatcher.DispatchOptions, PoolSlot>()

/**
 * A slot of the pool, which has one connection after another. Counts the requests of the current
 * connection, because undici does not show that number.
 */
class PoolSlot extends Client {
  #carried = 0

  constructor(origin: URL, options: Client.Options) {
    super(origin, options)
    this.on('connect', () => {
      this.#carried = 0
    })
  }

  override dispatch(
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    slotByRequest.set(request, this)
    return super.dispatch(request, handler)
  }

  /**
   * Counts a request that is about to be written. True if the connection had other requests before.
   */
  begin(): boolean {
    this.#carried += 1
    return this.#carried > 1
  }
}

/**
 * Counts a request that is about to be written. True if its connection was reused. The service may
 * have closed such a connection without us noticing.
 */
const countRequestAndCheckReuse = (request: Dispatcher.DispatchOptions): boolean =>
  slotByRequest.get(request)?.begin() ?? false

/**
 * Returns a pool of reused connections. An idle connection is kept for the given milliseconds, or
 * less if the service announces less.
 */
export const createReusingPool = (origin: string, idleMs = maxIdleMs): Pool =>
  new Pool(origin, {
    ...buildPoolOptions(),
    keepAliveTimeout: idleMs,
    // Without this limit, a longer time that the service announces would be used.
    keepAliveMaxTimeout: idleMs,
    keepAliveTimeoutThreshold: keepAliveMarginMs,
    factory: (to, options) => new PoolSlot(to, options),
  })

/**
 * Returns a pool of connections for one request each. It is for a retry after a reused connection
 * was closed, because the other reused connections may be closed too. Requests must set `reset`, so
 * that the connection closes after the response.
 */
export const createSingleUsePool = (origin: string): Pool => new Pool(origin, buildPoolOptions())

/** Maximum size of a response (bytes). A page of a thousand payments is far smaller. */
const maxResponseBytes = 2 * 1024 * 1024

export type ExchangeResult = { status: number; headers: Record<string, string>; text: string }

type RawHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

function toPlainHeaders(headers: RawHeaders): Record<string, string> {
  const joinedHeaders: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joinedHeaders[name] = Array.isArray(value) ? value.join(', ') : value
  return joinedHeaders
}

const decodeText = (parts: Buffer[]): string => {
  const [singlePart] = parts
  return (parts.length === 1 && singlePart ? singlePart : Buffer.concat(parts)).toString('utf8')
}

/**
 * Sends one request and returns its response as text, within the given time (milliseconds). Rejects
 * with an `ExchangeError`, which contains the cause, whether the request was begun, and the state
 * of its connection. The cause is a `ReadFaultError` if the response exceeds 2 MB or is compressed,
 * if the time has passed, or if `signal` is aborted. Otherwise, it is the error of undici. A
 * request that is still queued when the time has passed is never sent. Uses the dispatch handlers
 * of undici, because its streams and abort signals would add 50 % to the cost of a call.
 */
export function exchangeRequest(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ExchangeResult> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let answer: Omit<ExchangeResult, 'text'> | undefined
    let receivedBytes = 0
    let requestController: Dispatcher.DispatchController | undefined
    let stopFault: ReadFaultError | undefined
    let isReused = false
    let hasAnswerBegun = false
    const rejectExchange = (error: unknown) => {
      removeTimers()
      reject(new ExchangeError(requestController !== undefined, error, isReused, hasAnswerBegun))
    }
    const stopExchange = (fault: ReadFaultError['fault']) => {
      stopFault ??= new ReadFaultError(fault)
      if (requestController) requestController.abort(stopFault)
      else rejectExchange(stopFault)
    }
    const onAbort = () => stopExchange('reader_gone')
    const timer = setTimeout(() => stopExchange('deadline'), timeoutMs)
    const removeTimers = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    pool.dispatch(request, {
      onRequestStart: (controller) => {
        // The request already failed while it was queued (timeout or abort), so it must not be
        // written now.
        if (stopFault) return controller.abort(stopFault)
        requestController = controller
        isReused = countRequestAndCheckReuse(request)
      },
      // undici calls this when the first byte of a response arrives, before it parses the headers.
      onResponseStarted: () => {
        hasAnswerBegun = true
      },
      onResponseStart: (_, status, headers) => {
        // A 1xx response is not final. The actual response follows it.
        if (status < 200) return
        answer = { status, headers: toPlainHeaders(headers) }
        if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity')
          stopExchange('encoded')
      },
      onResponseData: (_, part) => {
        receivedBytes += part.length
        chunks.push(part)
        if (receivedBytes > maxResponseBytes) stopExchange('too_large')
      },
      onResponseEnd: () => {
        removeTimers()
        if (!answer) return reject(new Error('the answer ended before it began'))
        resolve({ ...answer, text: decodeText(chunks) })
      },
      onResponseError: (_, error) => rejectExchange(error),
    })
  })
}
