import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll } from 'vitest'

const browserPathFile = join(
  fileURLToPath(new URL('../..', import.meta.url)),
  'node_modules/.ensure-browser',
)

/**
 * HTML page that shows the URL of its query parameter `frame` in an iframe. Records all messages
 * that it receives, from any origin, in `heard`.
 */
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

/**
 * A local web server that serves `deskPageHtml`. Tests open it under several host names, because
 * each host name is a different origin.
 */
type DeskServer = { port: number; stop: () => Promise<void> }

async function startDeskServer(): Promise<DeskServer> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(deskPageHtml)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stopServer = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { port: (server.address() as AddressInfo).port, stop: stopServer }
}

/**
 * Starts the browser that `npm test` found or downloaded, otherwise Playwright's default. Host
 * names under `.example` resolve to 127.0.0.1. The flags stop the browser's own requests to other
 * hosts, such as update checks.
 */
function openBrowser(): Promise<Browser> {
  const quietBrowserFlags = [
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
  ]
  const noSandboxFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const hostNameFlag = '--host-resolver-rules=MAP *.example 127.0.0.1'
  const executablePath = existsSync(browserPathFile)
    ? readFileSync(browserPathFile, 'utf8')
    : undefined
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [...quietBrowserFlags, ...noSandboxFlags, hostNameFlag],
  })
}

/**
 * Time limit of one browser step in milliseconds. It is far below the time limit of a test, so that
 * a failed step reports its own error.
 */
const stepTimeoutMs = 8_000

/**
 * Starts a browser and a `DeskServer` before the tests of a file, and stops both after them.
 * `newPage` opens a page, which is closed after the test. `desk` returns the port of the server.
 */
export function openBrowserPerFile(): { newPage: () => Promise<Page>; desk: () => number } {
  let browser: Browser | undefined
  let deskServer: DeskServer | undefined
  const openPages: Page[] = []
  beforeAll(async () => {
    deskServer = await startDeskServer()
    browser = await openBrowser()
  }, 30_000)
  afterEach(async () => {
    for (const page of openPages.splice(0)) await page.context().close()
  })
  afterAll(async () => {
    await browser?.close()
    await deskServer?.stop()
  })
  const newPage = async () => {
    if (!browser)
      throw new Error('the browser is started before the tests, not while they are collected')
    const page = await (
      await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } })
    ).newPage()
    page.setDefaultTimeout(stepTimeoutMs)
    openPages.push(page)
    return page
  }
  return { newPage, desk: () => deskServer?.port ?? 0 }
}
