import { noteReached } from './connection-status'

/** How long after each failure a page is asked for again, in milliseconds; the last for all that follow. */
const pauses = [2000, 4000, 8000]

const waiting = new Set<() => void>()

/** Asks at once for the pages that did not come. */
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

/** Whether what is read now, nobody asked for: what a person asks for is read within seconds of a key or a pointer. Such a reading keeps no session alive. */
export const isUnattended = (): boolean => globalThis.navigator?.userActivation?.isActive === false

/** What is in front of a server that is away answers so. */
const isAway = ({ status }: Response) => status >= 502 && status <= 504

/** The router's own mark of a page it goes to; what it only reads ahead may fail. */
const isPage = (headers: Headers): boolean => headers.has('rsc') && !headers.has('next-router-prefetch')

/** Asks for a page until it comes. */
async function askUntilReached(ask: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  for (let times = 0; ; times += 1) {
    const answer = await ask().catch((cause: unknown) => {
      // Nobody wants it any more.
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
 * Keeps what is on the screen while the server cannot be reached: the router would hand a page that does not come over to the browser, whose error page
 * replaces everything. The router cannot say that nobody asked for a page either, so that is said here. Gives what ends both.
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
