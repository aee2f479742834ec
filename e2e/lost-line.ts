import type { CDPSession, Page } from '@playwright/test'

type Paused = { requestId: string }

const answers = {
  /** On the way. */
  cut: (session: CDPSession, requestId: string) => session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }),
  /** Because the server has them no longer. */
  gone: (session: CDPSession, requestId: string) => session.send('Fetch.fulfillRequest', { requestId, responseCode: 404 }),
  /** Nobody listens where the server was. */
  down: (session: CDPSession, requestId: string) => session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' }),
  /** What is in front of the server answers for it. */
  behind: (session: CDPSession, requestId: string) =>
    session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 502,
      responseHeaders: [{ name: 'content-type', value: 'text/html' }],
      body: Buffer.from('<h1>Bad gateway</h1>').toString('base64'),
    }),
}

async function without(page: Page, how: keyof typeof answers, urlPattern: string): Promise<() => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }: Paused) => {
    // The page may be gone by then.
    answers[how](session, requestId).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
  return () => session.detach()
}

/** Lets the page's scripts fail from here on. Gives what ends it. */
export const withoutScripts = (page: Page, how: 'cut' | 'gone') => without(page, how, '*/_next/static/*')

/** Takes the server away from here on, while the browser believes in its connection. Gives what ends it. */
export const withoutServer = (page: Page, how: 'down' | 'behind') => without(page, how, '*')
