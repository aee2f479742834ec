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

type Meet = (session: CDPSession, requestId: string) => Promise<unknown>

/** Meets the page's requests to some addresses from here on. Gives what ends it. */
async function meeting(page: Page, urlPattern: string, meet: Meet): Promise<() => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }: Paused) => {
    // The page may be gone by then.
    meet(session, requestId).catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
  return () => session.detach()
}

const without = (page: Page, how: keyof typeof answers, urlPattern: string) => meeting(page, urlPattern, answers[how])

/** Keeps requests back until what this gives is called. */
export async function holdRequests(page: Page, urlPattern: string): Promise<() => Promise<void>> {
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  const passed: Promise<unknown>[] = []
  const end = await meeting(page, urlPattern, (session, requestId) => {
    // The page may have given up what it asked.
    const pass = held.then(() => session.send('Fetch.continueRequest', { requestId })).catch(() => undefined)
    passed.push(pass)
    return pass
  })
  return async () => {
    go()
    await Promise.all(passed)
    await end()
  }
}

/** Has requests answered by another server. Gives what ends it. */
export const leadRequests = (page: Page, urlPattern: string, url: string) =>
  meeting(page, urlPattern, (session, requestId) => session.send('Fetch.continueRequest', { requestId, url }))

/** Lets the page's scripts fail from here on. Gives what ends it. */
export const withoutScripts = (page: Page, how: 'cut' | 'gone') => without(page, how, '*/_next/static/*')

/** Takes the server away from here on, while the browser believes in its connection. Gives what ends it. */
export const withoutServer = (page: Page, how: 'down' | 'behind') => without(page, how, '*')
