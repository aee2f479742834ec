import { recordServerReachability } from './connection-status'

/** Milliseconds before each retry of a page. The last value is used for all further retries. */
const retryDelaysMs = [2000, 4000, 8000]

const pendingRetries = new Set<() => void>()

export function retryPages(): void {
  for (const startRetry of pendingRetries) startRetry()
}

const waitForRetry = (milliseconds: number | undefined) =>
  new Promise<void>((resolve) => {
    const endRetryWait = () => {
      clearTimeout(timer)
      pendingRetries.delete(endRetryWait)
      resolve()
    }
    const timer = setTimeout(endRetryWait, milliseconds)
    pendingRetries.add(endRetryWait)
  })

/** Without keyboard or pointer use, a request is automatic and must not extend the session. */
export const isPageUnattended = (): boolean =>
  globalThis.navigator?.userActivation?.isActive === false

/** True for the statuses with which a proxy responds while the server is down. */
const isServerDown = ({ status }: Response) => status >= 502 && status <= 504

/** False for a prefetch, which needs no retry. */
const isPageRequest = (headers: Headers): boolean =>
  headers.has('rsc') && !headers.has('next-router-prefetch')

/** Throws only if the router aborts the request. */
async function retryUntilReached(
  sendRequest: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  for (let failedAttempts = 0; ; failedAttempts += 1) {
    const pageResponse = await sendRequest().catch((cause: unknown) => {
      if (signal?.aborted) throw cause
      return null
    })
    const hasReachedServer = pageResponse !== null && !isServerDown(pageResponse)
    recordServerReachability(hasReachedServer)
    if (hasReachedServer) return pageResponse
    await waitForRetry(retryDelaysMs[failedAttempts] ?? retryDelaysMs.at(-1))
  }
}

/**
 * Retries page requests of the router while the server is unreachable. Otherwise the router would
 * let the browser load the URL, and the browser's error page would replace the page. Also sets the
 * `unattended` header, which the router cannot do. Returns the function that restores `fetch`.
 */
export function retryFailedNavigations(): () => void {
  const originalFetch = window.fetch
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    if (!isPageRequest(headers)) return originalFetch(input, init)
    if (isPageUnattended()) headers.set('unattended', '1')
    return retryUntilReached(() => originalFetch(input, { ...init, headers }), init?.signal)
  }
  addEventListener('online', retryPages)
  return () => {
    window.fetch = originalFetch
    removeEventListener('online', retryPages)
  }
}
