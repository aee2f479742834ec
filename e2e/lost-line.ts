import type { CDPSession, Page } from '@playwright/test'

type Paused = { requestId: string }

const answers = {
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

type Meet = (session: CDPSession, requestId: string) => Promise<unknown>

/** Intercepts the page's requests that match `urlPattern` and passes each to `meet`. Returns a function that ends this. */
async function meeting(page: Page, urlPattern: string, meet: Meet): Promise<() => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }: Paused) => {
    // The page may already be closed.
    meet(session, requestId).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
  return () => session.detach()
}

const without = (page: Page, how: keyof typeof answers, urlPattern: string) => meeting(page, urlPattern, answers[how])

/** Holds the page's requests that match `urlPattern`. Returns a function that lets them continue. */
export async function holdRequests(page: Page, urlPattern: string): Promise<() => Promise<void>> {
  let go = () => {}
  const releaseSignal = new Promise<void>((resolve) => {
    go = resolve
  })
  const passed: Promise<unknown>[] = []
  const end = await meeting(page, urlPattern, (session, requestId) => {
    // The page may have canceled the request.
    const pass = releaseSignal.then(() => session.send('Fetch.continueRequest', { requestId })).catch(() => undefined)
    passed.push(pass)
    return pass
  })
  return async () => {
    go()
    await Promise.all(passed)
    await end()
  }
}

/** Sends the page's requests that match `urlPattern` to `url`. Returns a function that ends this. */
export const leadRequests = (page: Page, urlPattern: string, url: string) =>
  meeting(page, urlPattern, (session, requestId) => session.send('Fetch.continueRequest', { requestId, url }))

/** Makes requests for the page's scripts fail. Returns a function that ends this. */
export const withoutScripts = (page: Page, how: 'cut' | 'gone') => without(page, how, '*/_next/static/*')

/** Makes all requests of the page fail, while the browser reports that it is online. Returns a function that ends this. */
export const withoutServer = (page: Page, how: 'down' | 'behind') => without(page, how, '*')
