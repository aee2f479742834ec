import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll } from 'vitest'

const found = join(fileURLToPath(new URL('../..', import.meta.url)), 'node_modules/.ensure-browser')

/** A page that frames the address in its query and records every message from any origin. */
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

/** A local web server for framing pages; each host name that resolves to it is another origin. */
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

/** Starts the browser of the other browser tests. Names under `.example` resolve to this machine; there are no external requests. */
function openBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const names = '--host-resolver-rules=MAP *.example 127.0.0.1'
  const executablePath = existsSync(found) ? readFileSync(found, 'utf8') : undefined
  return chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: [...quiet, ...asRoot, names] })
}

/** Milliseconds, longer than any step: a failed wait must not use up the test's whole time. */
const patience = 8_000

/** Starts one browser and one server of framing pages for all tests of a file; `desk` is the server's port. Pages close with their test. */
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
