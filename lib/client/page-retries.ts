import { recordReachable } from './connection-status'

/** Milliseconds to wait before each retry of a page. The last value is used for all further retries. */
const retryDelays = [2000, 4000, 8000]

const pendingRetries = new Set<() => void>()

/** Retries all pages that could not be loaded, without waiting. */
export function retryPages(): void {
  for (const ask of pendingRetries) ask()
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

/** True if the person did not use keyboard or pointer in the last seconds. Such a request is automatic and does not extend the session. */
export const isUnattended = (): boolean => globalThis.navigator?.userActivation?.isActive === false

/** True for the statuses with which a proxy responds while the server is down. */
const isServerDown = ({ status }: Response) => status >= 502 && status <= 504

/** True for the request of a navigation by the router. A failed prefetch needs no retry. */
const isPageRequest = (headers: Headers): boolean => headers.has('rsc') && !headers.has('next-router-prefetch')

/** Sends the request of a page until the server responds. Throws only if the router aborts the request. */
async function retryUntilReached(ask: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  for (let times = 0; ; times += 1) {
    const answer = await ask().catch((cause: unknown) => {
      if (signal?.aborted) throw cause
      return null
    })
    const hasReachedServer = answer !== null && !isServerDown(answer)
    recordReachable(hasReachedServer)
    if (hasReachedServer) return answer
    await waitForRetry(retryDelays[times] ?? retryDelays.at(-1))
  }
}

/**
 * Replaces `fetch`, so that page requests of the router are retried while the server cannot be reached. Without that, the router lets the
 * browser load the page, whose error page replaces everything. It also sets the `unattended` header on automatic page requests, which the
 * router cannot do. Returns the function that restores `fetch`.
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
