import type { CDPSession, Page } from '@playwright/test'

type PausedRequest = { requestId: string }

const faultHandlers = {
  /** The connection is reset. */
  cut: (session: CDPSession, requestId: string) => session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }),
  /** The server responds that the file does not exist. */
  gone: (session: CDPSession, requestId: string) => session.send('Fetch.fulfillRequest', { requestId, responseCode: 404 }),
  /** The connection is refused, because no server listens. */
  down: (session: CDPSession, requestId: string) => session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' }),
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

/** Intercepts the page's requests that match `urlPattern` and passes each to `handle`. Returns a function that ends this. */
async function interceptRequests(page: Page, urlPattern: string, handle: RequestHandler): Promise<() => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }: PausedRequest) => {
    // The page may already be closed.
    handle(session, requestId).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
  return () => session.detach()
}

const failRequests = (page: Page, how: keyof typeof faultHandlers, urlPattern: string) =>
  interceptRequests(page, urlPattern, faultHandlers[how])

/** Holds the page's requests that match `urlPattern`. Returns a function that lets them continue. */
export async function holdRequests(page: Page, urlPattern: string): Promise<() => Promise<void>> {
  let sendReleaseSignal = () => {}
  const releaseSignal = new Promise<void>((resolve) => {
    sendReleaseSignal = resolve
  })
  const passedRequests: Promise<unknown>[] = []
  const stopIntercepting = await interceptRequests(page, urlPattern, (session, requestId) => {
    // The page may have canceled the request.
    const passRequest = releaseSignal.then(() => session.send('Fetch.continueRequest', { requestId })).catch(() => undefined)
    passedRequests.push(passRequest)
    return passRequest
  })
  return async () => {
    sendReleaseSignal()
    await Promise.all(passedRequests)
    await stopIntercepting()
  }
}

/** Sends the page's requests that match `urlPattern` to `url`. Returns a function that ends this. */
export const redirectRequests = (page: Page, urlPattern: string, url: string) =>
  interceptRequests(page, urlPattern, (session, requestId) => session.send('Fetch.continueRequest', { requestId, url }))

/** Makes requests for the page's scripts fail. Returns a function that ends this. */
export const failScriptRequests = (page: Page, how: 'cut' | 'gone') => failRequests(page, how, '*/_next/static/*')

/** Makes all requests of the page fail, while the browser reports that it is online. Returns a function that ends this. */
export const failAllRequests = (page: Page, how: 'down' | 'behind') => failRequests(page, how, '*')
