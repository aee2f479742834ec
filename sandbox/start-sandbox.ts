import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createAdaptorServer } from '@hono/node-server'
import { deleteOldEvents } from '@/sandbox/events/event-store'
import { openEndpoint } from '@/sandbox/events/open-endpoint'
import { WebhookClient, WebhookSender } from '@/sandbox/events/webhook-sender'
import type { TlsCertificate } from '@/sandbox/http/tls-certificate'
import { isSeeded, type Progress, seedSandbox } from '@/sandbox/seed/seed-sandbox'
import type { EnvironmentSettings } from './environment-settings'
import { openSandbox } from './open-sandbox'
import { runTimers } from './run-timers'
import type { Sandbox } from './sandbox'
import { createServiceApp } from './service-app'

const tickMs = 250
const second = 1_000
const hour = 3_600_000
const graceMs = 10_000

/** A running sandbox. `stop` closes the port, finishes running requests, then closes the database. */
type RunningSandbox = { url: string; stop: () => Promise<void> }

/** Returns the HTTP server. With a certificate it accepts only TLS; plain HTTP fails in the handshake. */
function makeServer(app: ReturnType<typeof createServiceApp>, certificate: TlsCertificate | undefined): Server {
  const tls = certificate && { createServer: createTlsServer, serverOptions: certificate }
  const server = createAdaptorServer({ fetch: app.fetch, ...tls }) as Server
  // Longer than clients keep idle connections, so that the server never closes one that a client is about to use.
  server.keepAliveTimeout = 90_000
  return server
}

function listen(server: Server, { port: requested, host, tls }: EnvironmentSettings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(requested, host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : requested
      resolve(`${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`)
    })
  })
}

/**
 * Stores the offset that the clock will have in `aheadMs` milliseconds. Does nothing at speed 1, because the stored offset is still right.
 */
function saveClock({ clock }: Sandbox, aheadMs = 0): void {
  if (clock.speed !== 1) clock.keep(aheadMs)
}

function startTicking(sandbox: Sandbox, sender: WebhookSender | undefined): () => void {
  let isCleaning = false
  const timerInterval = setInterval(() => {
    if (!sandbox.ready) return
    runTimers(sandbox)
    sender?.pump()
    // Delete one batch per interval, so that requests are served in between.
    if (isCleaning) isCleaning = deleteOldEvents(sandbox.store, sandbox.clock.now())
  }, tickMs)
  // Store the offset two intervals ahead, because the timer of a busy process fires late.
  saveClock(sandbox, 2 * second)
  const clockInterval = setInterval(() => saveClock(sandbox, 2 * second), second)
  const hourly = setInterval(() => {
    sandbox.idempotency.forgetOld(sandbox.clock.now())
    isCleaning = true
  }, hour)
  return () => {
    clearInterval(timerInterval)
    clearInterval(clockInterval)
    clearInterval(hourly)
  }
}

/**
 * Starts one environment: opens its data folder, listens, and seeds unless the folder has complete data. Resolves when ready; until then,
 * requests get a 503. Listens before it seeds, so that a used port is reported at once. Throws `EADDRINUSE` for a used port, and
 * `SQLITE_BUSY` if another process uses the folder.
 */
export async function startSandbox(
  settings: EnvironmentSettings,
  certificate: TlsCertificate | undefined,
  progress: Progress,
): Promise<RunningSandbox> {
  mkdirSync(settings.data, { recursive: true, mode: 0o700 })
  const endpoint = openEndpoint(settings.webhook, settings['webhook-secret'], settings.data)
  const sandbox = await openSandbox(settings, endpoint?.url)
  const courier = endpoint && new WebhookSender(sandbox.deliveries, sandbox.clock, new WebhookClient(endpoint))
  const server = makeServer(createServiceApp(sandbox, settings), certificate)
  const url = await listen(server, settings)
  if (isSeeded(sandbox)) sandbox.payments.load()
  else await seedSandbox(sandbox, progress)
  sandbox.ready = true
  const stopTicking = startTicking(sandbox, courier)
  const stop = async () => {
    stopTicking()
    await courier?.stop()
    const forceCloseTimer = setTimeout(() => server.closeAllConnections(), graceMs)
    // A kept-alive connection becomes idle only after its last response, so close idle ones repeatedly.
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    await new Promise((resolve) => server.close(resolve))
    clearTimeout(forceCloseTimer)
    clearInterval(idle)
    saveClock(sandbox)
    sandbox.store.close()
  }
  return { url, stop }
}
