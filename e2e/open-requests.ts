import type { BrowserContext, Request, TestInfo } from '@playwright/test'

/** Maximum number of finished requests to list. The list contains the latest ones. */
const maxListedRequests = 60

const formatSecondsSince = (time: number) => `${((Date.now() - time) / 1000).toFixed(1)} s`

/**
 * Returns method and path, with "(page)" if the router requested a page. Omits the query, because
 * it may contain user input.
 */
function describeRequest(request: Request): string {
  const { pathname, searchParams } = new URL(request.url())
  return `${request.method()} ${pathname}${searchParams.has('_rsc') ? ' (page)' : ''}`
}

/**
 * Records the requests of a browser context. Returns a function to call at the end of the test. If
 * the test failed, the function prints the requests that are still open, because a page may be
 * waiting for one, and the last finished ones.
 */
export function watchRequests(context: BrowserContext, testInfo: TestInfo): () => void {
  const openRequests = new Map<Request, number>()
  const endedRequests: { line: string; at: number }[] = []
  const createRequestEndHandler = (outcome: string) => (request: Request) => {
    openRequests.delete(request)
    endedRequests.push({ line: `${describeRequest(request)} ${outcome}`, at: Date.now() })
    if (endedRequests.length > maxListedRequests) endedRequests.shift()
  }
  context.on('request', (request) => openRequests.set(request, Date.now()))
  context.on('requestfinished', createRequestEndHandler('answered'))
  context.on('requestfailed', (request) =>
    createRequestEndHandler(`failed (${request.failure()?.errorText})`)(request),
  )
  return () => {
    if (testInfo.status === testInfo.expectedStatus) return
    const openRequestLines = [...openRequests].map(
      ([request, since]) => `${describeRequest(request)} for ${formatSecondsSince(since)}`,
    )
    console.info(
      `${testInfo.title}: ${openRequestLines.length} requests without an answer`,
      openRequestLines,
    )
    console.info(
      'the last with one',
      endedRequests.map(({ line, at }) => `${line} ${formatSecondsSince(at)} ago`),
    )
  }
}
