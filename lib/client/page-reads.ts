import { noteReached } from './connection-status'

/** Milliseconds before each retry of a page; the last value repeats. */
const pauses = [2000, 4000, 8000]

const waiting = new Set<() => void>()

/** Retries all pages that failed to load, without waiting. */
export function askForPages(): void {
  for (const ask of waiting) ask()
}

const pause = (milliseconds: number | undefined) =>
  new Promise<void>((resolve) => {
    const ask = () => {
      clearTimeout(timer)
      waiting.delete(ask)
      resolve()
    }
    const timer = setTimeout(ask, milliseconds)
    waiting.add(ask)
  })

/** True if the person has used no key or pointer within the last seconds: the read is automatic and does not extend the session. */
export const isUnattended = (): boolean => globalThis.navigator?.userActivation?.isActive === false

/** True for the statuses that a proxy returns while the server behind it is down. */
const isAway = ({ status }: Response) => status >= 502 && status <= 504

/** True for a navigation of the router. A failed prefetch needs no retry. */
const isPage = (headers: Headers): boolean => headers.has('rsc') && !headers.has('next-router-prefetch')

/** Requests a page until it arrives. Throws only if the router aborts the request. */
async function askUntilReached(ask: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  for (let times = 0; ; times += 1) {
    const answer = await ask().catch((cause: unknown) => {
      if (signal?.aborted) throw cause
      return null
    })
    const reached = answer !== null && !isAway(answer)
    noteReached(reached)
    if (reached) return answer
    await pause(pauses[times] ?? pauses.at(-1))
  }
}

/**
 * Retries page requests of the router while the server cannot be reached, to keep the current page on the screen. Without this, the router
 * hands a failed page to the browser, whose error page replaces everything. Also marks automatic page requests with the `unattended`
 * header, which the router cannot set. Returns the function that ends both.
 */
export function keepPages(): () => void {
  const send = window.fetch
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    if (!isPage(headers)) return send(input, init)
    if (isUnattended()) headers.set('unattended', '1')
    return askUntilReached(() => send(input, { ...init, headers }), init?.signal)
  }
  addEventListener('online', askForPages)
  return () => {
    window.fetch = send
    removeEventListener('online', askForPages)
  }
}
