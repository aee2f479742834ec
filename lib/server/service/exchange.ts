import 'server-only'
import { Client, type Dispatcher, Pool } from 'undici'
import { getTimeSettings } from '@/lib/server/config/env'
import { CallAbortedError, ExchangeError } from './faults'

const maxIdleMs = 30_000
/**
 * Subtracted from the keep-alive time that the service announces: its clock starts before ours,
 * undici's timers are up to a second late, and the next request takes time to arrive.
 */
const keepAliveMarginMs = 3000

const buildPoolOptions = () => ({
  connections: 64,
  pipelining: 1,
  connect: { timeout: getTimeSettings().responseHeaders.connect },
})

const slotByRequest = new WeakMap<Dispatcher.DispatchOptions, PoolSlot>()

/** Counts the requests of the current connection, because undici does not show that number. */
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

  /** Called before a request is written. True if its connection had other requests before. */
  begin(): boolean {
    this.#carried += 1
    return this.#carried > 1
  }
}

/** True if the connection was reused: the service may have closed it without us noticing. */
const countRequestAndCheckReuse = (request: Dispatcher.DispatchOptions): boolean =>
  slotByRequest.get(request)?.begin() ?? false

/** Idle connections are kept for `idleMs`, or less if the service announces less. */
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
 * Connections for a retry after a reused connection was closed: other reused connections may be
 * closed too. Requests must set `reset`, so that the connection closes after the response.
 */
export const createSingleUsePool = (origin: string): Pool => new Pool(origin, buildPoolOptions())

/** A page of a thousand payments is far smaller. */
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
 * Rejects with an `ExchangeError`. Its cause is a `CallAbortedError` if the response exceeds 2 MB or
 * is compressed, if the time has passed, or if `signal` is aborted; otherwise, the error of undici.
 * A request that is still queued when the time has passed is never sent. Uses the dispatch handlers
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
    let responseHead: Omit<ExchangeResult, 'text'> | undefined
    let receivedBytes = 0
    let requestController: Dispatcher.DispatchController | undefined
    let stopFault: CallAbortedError | undefined
    let isReused = false
    let hasAnswerBegun = false
    const rejectExchange = (error: unknown) => {
      removeTimerAndListener()
      reject(new ExchangeError(requestController !== undefined, error, isReused, hasAnswerBegun))
    }
    const stopExchange = (fault: CallAbortedError['fault']) => {
      stopFault ??= new CallAbortedError(fault)
      if (requestController) requestController.abort(stopFault)
      else rejectExchange(stopFault)
    }
    const onAbort = () => stopExchange('reader_gone')
    const deadlineTimer = setTimeout(() => stopExchange('deadline'), timeoutMs)
    const removeTimerAndListener = () => {
      clearTimeout(deadlineTimer)
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    pool.dispatch(request, {
      onRequestStart: (controller) => {
        // The request already failed while queued (timeout or abort): it must not be written now.
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
        responseHead = { status, headers: toPlainHeaders(headers) }
        if ((responseHead.headers['content-encoding'] ?? 'identity') !== 'identity')
          stopExchange('encoded')
      },
      onResponseData: (_, part) => {
        receivedBytes += part.length
        chunks.push(part)
        if (receivedBytes > maxResponseBytes) stopExchange('too_large')
      },
      onResponseEnd: () => {
        removeTimerAndListener()
        if (!responseHead) return reject(new Error('the answer ended before it began'))
        resolve({ ...responseHead, text: decodeText(chunks) })
      },
      onResponseError: (_, error) => rejectExchange(error),
    })
  })
}
