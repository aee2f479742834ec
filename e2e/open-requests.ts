import type { BrowserContext, Request, TestInfo } from '@playwright/test'

/** Requests that are listed of those that were answered, the last ones. */
const most = 15

const secondsSince = (time: number) => `${((Date.now() - time) / 1000).toFixed(1)} s`

/** Method, path, and whether the router asked for a page; without a query, which may hold what somebody typed. */
function lineOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url())
  return `${request.method()} ${pathname}${searchParams.has('_rsc') ? ' (page)' : ''}`
}

/**
 * Watches the requests of a browser. Returns what to call at the end of the test: if it failed, it lists those without an answer, which a page that stands still may
 * wait for, and the last that had one.
 */
export function watchRequests(context: BrowserContext, test: TestInfo): () => void {
  const open = new Map<Request, number>()
  const ended: { line: string; at: number }[] = []
  const end = (outcome: string) => (request: Request) => {
    open.delete(request)
    ended.push({ line: `${lineOf(request)} ${outcome}`, at: Date.now() })
    if (ended.length > most) ended.shift()
  }
  context.on('request', (request) => open.set(request, Date.now()))
  context.on('requestfinished', end('answered'))
  context.on('requestfailed', end('failed'))
  return () => {
    if (test.status === test.expectedStatus) return
    const without = [...open].map(([request, since]) => `${lineOf(request)} for ${secondsSince(since)}`)
    console.info(`${test.title}: ${without.length} requests without an answer`, without)
    console.info(
      'the last with one',
      ended.map(({ line, at }) => `${line} ${secondsSince(at)} ago`),
    )
  }
}
