import type { BrowserContext, Request, TestInfo } from '@playwright/test'

/** Maximum number of finished requests to list. The list contains the latest ones. */
const maxListed = 60

const secondsSince = (time: number) => `${((Date.now() - time) / 1000).toFixed(1)} s`

/** Returns method and path, with "(page)" for a request of the router. Omits the query, which may contain user input. */
function describeRequest(request: Request): string {
  const { pathname, searchParams } = new URL(request.url())
  return `${request.method()} ${pathname}${searchParams.has('_rsc') ? ' (page)' : ''}`
}

/**
 * Records the requests of a browser context. Returns a function for the end of the test: if the test failed, it prints the open requests,
 * for which the page may wait, and the last finished ones.
 */
export function watchRequests(context: BrowserContext, test: TestInfo): () => void {
  const openRequests = new Map<Request, number>()
  const endedRequests: { line: string; at: number }[] = []
  const createEndRecorder = (outcome: string) => (request: Request) => {
    openRequests.delete(request)
    endedRequests.push({ line: `${describeRequest(request)} ${outcome}`, at: Date.now() })
    if (endedRequests.length > maxListed) endedRequests.shift()
  }
  context.on('request', (request) => openRequests.set(request, Date.now()))
  context.on('requestfinished', createEndRecorder('answered'))
  context.on('requestfailed', (request) => createEndRecorder(`failed (${request.failure()?.errorText})`)(request))
  return () => {
    if (test.status === test.expectedStatus) return
    const openLines = [...openRequests].map(([request, since]) => `${describeRequest(request)} for ${secondsSince(since)}`)
    console.info(`${test.title}: ${openLines.length} requests without an answer`, openLines)
    console.info(
      'the last with one',
      endedRequests.map(({ line, at }) => `${line} ${secondsSince(at)} ago`),
    )
  }
}
