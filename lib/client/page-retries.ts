import { recordServerReachable } from './connection-status'

/**
 * Milliseconds to wait before each retry of a page. The last value is used for all further retries.
 */
const retryDelays = [2000, 4000, 8000]

const pendingRetries = new Set<() => void>()

/** Retries all pages that could not be loaded, without waiting. */
export function retryPages(): void {
  for (const startRetry of pendingRetries) startRetry()
}

const waitForRetry = (milliseconds: number | undefined) =>
  new Promise<void>((resolve) => {
    const ask = () => {
      clearTimeout(timer)
      pendingRetries.delete(ask)
      resolve()
    }
    const timer = setTimeout(ask, milliseconds)
    pendingRetries.add(ask)
  })

/**
 * True if the person did not use keyboard or pointer in the last seconds. A request is then
 * automatic and must not extend the session.
 */
export const isUnattended = (): boolean => globalThis.navigator?.userActivation?.isActive === false

/** True for the statuses with which a proxy responds while the server is down. */
const isServerDown = ({ status }: Response) => status >= 502 && status <= 504

/**
 * True if the router requests a page for a navigation. False for a prefetch, which needs no retry.
 */
const isPageRequest = (headers: Headers): boolean =>
  headers.has('rsc') && !headers.has('next-router-prefetch')

/**
 * Sends the request of a page until the server responds. Throws only if the router aborts the
 * request.
 */
async function retryUntilReached(
  sendRequest: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  for (let failedAttempts = 0; ; failedAttempts += 1) {
    const answer = await sendRequest().catch((cause: unknown) => {
      if (signal?.aborted) throw cause
      return null
    })
    const hasReachedServer = answer !== null && !isServerDown(answer)
    recordServerReachable(hasReachedServer)
    if (hasReachedServer) return answer
    await waitForRetry(retryDelays[failedAttempts] ?? retryDelays.at(-1))
  }
}

/**
 * Replaces `fetch`, so that page requests of the router are retried while the server cannot be
 * reached. Otherwise the router would let the browser load the URL, and the error page of the
 * browser would replace the page. Also sets the `unattended` header on automatic page requests,
 * which the router cannot do. Returns the function that restores `fetch`.
 */
export function retryFailedNavigations(): () => void {
  const originalFetch = window.fetch
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    if (!isPageRequest(headers)) return originalFetch(input, init)
    if (isUnattended()) headers.set('unattended', '1')
    return retryUntilReached(() => originalFetch(input, { ...init, headers }), init?.signal)
  }
  addEventListener('online', retryPages)
  return () => {
    window.fetch = originalFetch
    removeEventListener('online', retryPages)
  }
}
