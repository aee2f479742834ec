import type { CDPSession, Page } from '@playwright/test'

type PausedRequest = { requestId: string }

const faultHandlers = {
  /** The connection is reset. */
  cut: (session: CDPSession, requestId: string) =>
    session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }),
  /** The server responds that the file does not exist. */
  gone: (session: CDPSession, requestId: string) =>
    session.send('Fetch.fulfillRequest', { requestId, responseCode: 404 }),
  /** The connection is refused, because no server listens. */
  down: (session: CDPSession, requestId: string) =>
    session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' }),
  /** A proxy in front of the server responds with 502. */
  behind: (session: CDPSession, requestId: string) =>
    session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 502,
      responseHeaders: [{ name: 'content-type', value: 'text/html' }],
      body: Buffer.from('<h1>Bad gateway</h1>').toString('base64'),
    }),
}

type RequestHandler = (session: CDPSession, requestId: string) => Promise<unknown>

/**
 * Passes each request of the page that matches `urlPattern` to `handle`. Returns the function that
 * stops this.
 */
async function interceptRequests(
  page: Page,
  urlPattern: string,
  handle: RequestHandler,
): Promise<() => Promise<void>> {
  const cdpSession: CDPSession = await page.context().newCDPSession(page)
  cdpSession.on('Fetch.requestPaused', ({ requestId }: PausedRequest) => {
    // `handle` fails if the page is already closed, because the request no longer exists. The test
    // must not fail for it.
    handle(cdpSession, requestId).catch(() => undefined)
  })
  await cdpSession.send('Fetch.enable', { patterns: [{ urlPattern }] })
  return () => cdpSession.detach()
}

const failRequests = (page: Page, faultKind: keyof typeof faultHandlers, urlPattern: string) =>
  interceptRequests(page, urlPattern, faultHandlers[faultKind])

/**
 * Holds the requests of the page that match `urlPattern`. Returns the function that sends them to
 * the server.
 */
export async function holdRequests(page: Page, urlPattern: string): Promise<() => Promise<void>> {
  let sendReleaseSignal = () => {}
  const releaseSignal = new Promise<void>((resolve) => {
    sendReleaseSignal = resolve
  })
  const passedRequests: Promise<unknown>[] = []
  const stopIntercepting = await interceptRequests(page, urlPattern, (session, requestId) => {
    // This call fails if the page has canceled the request. The test must not fail for it.
    const passedRequest = releaseSignal
      .then(() => session.send('Fetch.continueRequest', { requestId }))
      .catch(() => undefined)
    passedRequests.push(passedRequest)
    return passedRequest
  })
  return async () => {
    sendReleaseSignal()
    await Promise.all(passedRequests)
    await stopIntercepting()
  }
}

/**
 * Sends the requests of the page that match `urlPattern` to `url` instead. Returns the function
 * that stops the redirection.
 */
export const redirectRequests = (page: Page, urlPattern: string, url: string) =>
  interceptRequests(page, urlPattern, (session, requestId) =>
    session.send('Fetch.continueRequest', { requestId, url }),
  )

/**
 * Makes requests for the scripts of the page fail. Returns the function that stops the failures.
 */
export const failScriptRequests = (page: Page, faultKind: 'cut' | 'gone') =>
  failRequests(page, faultKind, '*/_next/static/*')

/**
 * Makes all requests of the page fail, while the browser reports that it is online. Returns the
 * function that stops the failures.
 */
export const failAllRequests = (page: Page, faultKind: 'down' | 'behind') =>
  failRequests(page, faultKind, '*')
