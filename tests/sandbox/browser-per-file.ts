import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll } from 'vitest'

const browserPathFile = join(fileURLToPath(new URL('../..', import.meta.url)), 'node_modules/.ensure-browser')

/** A page that frames the URL in its query and records the messages of all origins in `heard`. */
const deskPageHtml = `<!doctype html>
<html lang="en"><head><title>Desk</title><style>body { margin: 0 } iframe { width: 100%; height: 100vh; border: 0; display: block }</style></head>
<body><script>
window.heard = []
addEventListener('message', ({ origin, data }) => heard.push({ origin, ...data }))
const frame = document.createElement('iframe')
frame.title = 'Bank connection'
frame.src = new URLSearchParams(location.search).get('frame')
document.body.append(frame)
</script></body></html>`

/** A local web server for framing pages. Each host name that resolves to it is a different origin. */
type DeskServer = { port: number; stop: () => Promise<void> }

async function startDesk(): Promise<DeskServer> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(deskPageHtml)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { port: (server.address() as AddressInfo).port, stop }
}

/**
 * Starts the browser that the other browser tests use. Names under `.example` resolve to this machine. The browser sends no requests of its
 * own to other hosts.
 */
function openBrowser(): Promise<Browser> {
  const quietFlags = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
  const rootFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const names = '--host-resolver-rules=MAP *.example 127.0.0.1'
  const executablePath = existsSync(browserPathFile) ? readFileSync(browserPathFile, 'utf8') : undefined
  return chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: [...quietFlags, ...rootFlags, names] })
}

/** Time limit of one step in milliseconds. A failed wait then does not use up the time of the whole test. */
const stepTimeoutMs = 8_000

/**
 * Starts a browser and a server of framing pages for all tests of a file. `desk` returns the server's port. Pages close after each test.
 */
export function openBrowserPerFile(): { newPage: () => Promise<Page>; desk: () => number } {
  let browser: Browser | undefined
  let server: DeskServer | undefined
  const pages: Page[] = []
  beforeAll(async () => {
    server = await startDesk()
    browser = await openBrowser()
  }, 30_000)
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })
  const newPage = async () => {
    if (!browser) throw new Error('the browser is started before the tests, not while they are collected')
    const page = await (await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } })).newPage()
    page.setDefaultTimeout(stepTimeoutMs)
    pages.push(page)
    return page
  }
  return { newPage, desk: () => server?.port ?? 0 }
}
