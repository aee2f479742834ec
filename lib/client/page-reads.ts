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

/** The router's own mark of a page it goes to; what it only reads ahead may fail. */
function isPage(init: RequestInit | undefined): boolean {
  const headers = new Headers(init?.headers)
  return headers.has('rsc') && !headers.has('next-router-prefetch')
}

/** What is in front of a server that is away answers so. */
const isAway = ({ status }: Response) => status >= 502 && status <= 504

/**
 * Keeps what is on the screen while the server cannot be reached: the router would hand a page that does not come over to the browser, whose error page
 * replaces everything. It is asked for until it comes. Gives what ends that.
 */
export function keepPages(): () => void {
  const send = window.fetch
  window.fetch = async (input, init) => {
    if (!isPage(init)) return send(input, init)
    for (let times = 0; ; times += 1) {
      const answer = await send(input, init).catch((cause: unknown) => {
        // Nobody wants it any more.
        if (init?.signal?.aborted) throw cause
        return null
      })
      const reached = answer !== null && !isAway(answer)
      noteReached(reached)
      if (reached) return answer
      await pause(pauses[times] ?? pauses.at(-1))
    }
  }
  addEventListener('online', askForPages)
  return () => {
    window.fetch = send
    removeEventListener('online', askForPages)
  }
}

/** Whether the script that did not come is no longer on the server, so that this page is of an older version of Paydesk. */
export async function isGone(cause: unknown): Promise<boolean> {
  // The message of the bundler names the script's address.
  const [address] = /\/_next\/static\/\S+/.exec(String(cause)) ?? []
  if (!address || !navigator.onLine) return false
  return fetch(address, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status === 404,
    () => false,
  )
}
