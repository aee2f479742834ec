import type { BrowserContext, Request, TestInfo } from '@playwright/test'

/** Watches the requests of a browser. Returns what to call at the end of the test: if it failed, it lists those without an answer, which a page that stands still may wait for. */
export function watchRequests(context: BrowserContext, test: TestInfo): () => void {
  const open = new Map<Request, number>()
  const end = (request: Request) => open.delete(request)
  context.on('request', (request) => open.set(request, Date.now()))
  context.on('requestfinished', end)
  context.on('requestfailed', end)
  return () => {
    if (test.status === test.expectedStatus) return
    const lines = [...open].map(([request, since]) => {
      const seconds = ((Date.now() - since) / 1000).toFixed(1)
      return `${request.method()} ${new URL(request.url()).pathname} for ${seconds} s`
    })
    console.info(`${test.title}: ${lines.length} requests without an answer`, lines)
  }
}
