import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll } from 'vitest'

const found = join(fileURLToPath(new URL('../..', import.meta.url)), 'node_modules/.ensure-browser')

/** A desk's page: it frames whatever its own query names, and keeps every message it gets from anywhere. */
const deskPage = `<!doctype html>
<html lang="en"><head><title>Desk</title><style>body { margin: 0 } iframe { width: 100%; height: 100vh; border: 0; display: block }</style></head>
<body><script>
window.heard = []
addEventListener('message', ({ origin, data }) => heard.push({ origin, ...data }))
const frame = document.createElement('iframe')
frame.title = 'Bank connection'
frame.src = new URLSearchParams(location.search).get('frame')
document.body.append(frame)
</script></body></html>`

/** A web server on this machine that plays desks: every host name that leads to it is another origin. */
type DeskServer = { port: number; stop: () => Promise<void> }

async function startDesk(): Promise<DeskServer> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(deskPage)
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

/** The browser the other browser tests use. Names under `.example` lead to this machine; nothing calls out. */
function openBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const names = '--host-resolver-rules=MAP *.example 127.0.0.1'
  const executablePath = existsSync(found) ? readFileSync(found, 'utf8') : undefined
  return chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: [...quiet, ...asRoot, names] })
}

/** Longer than any step takes: what waits for nothing must not use up the whole test's time. */
const patience = 8_000

/** One browser for all tests of a file, and a server of desks for it; `desk` is the server's port. Pages close with their test. */
export function browserPerFile(): { newPage: () => Promise<Page>; desk: () => number } {
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
    page.setDefaultTimeout(patience)
    pages.push(page)
    return page
  }
  return { newPage, desk: () => server?.port ?? 0 }
}
