import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createAdaptorServer } from '@hono/node-server'
import { deleteOldEvents } from '@/sandbox/events/event-store'
import { createWebhookEndpoint } from '@/sandbox/events/open-endpoint'
import { WebhookClient, WebhookSender } from '@/sandbox/events/webhook-sender'
import type { TlsCertificate } from '@/sandbox/http/tls-certificate'
import { isSeeded, type ReportProgress, seedSandbox } from '@/sandbox/seed/seed-sandbox'
import type { EnvironmentSettings } from './environment-settings'
import { openSandbox } from './open-sandbox'
import { runTimers } from './run-timers'
import type { Sandbox } from './sandbox'
import { createServiceApp } from './service-app'

const timerIntervalMs = 250
const secondMs = 1_000
const hourMs = 3_600_000
const shutdownGraceMs = 10_000

/** `stop` closes the port, finishes running requests, then closes the database. */
type RunningSandbox = { url: string; stop: () => Promise<void> }

/** With a certificate the server accepts only TLS; plain HTTP fails in the handshake. */
function makeServer(
  app: ReturnType<typeof createServiceApp>,
  certificate: TlsCertificate | undefined,
): Server {
  const tlsOptions = certificate && { createServer: createTlsServer, serverOptions: certificate }
  const server = createAdaptorServer({ fetch: app.fetch, ...tlsOptions }) as Server
  // Keep idle connections longer than clients do: otherwise the server could close a connection
  // while a client sends a request on it.
  server.keepAliveTimeout = 90_000
  return server
}

function listenAndGetUrl(
  server: Server,
  { port: requested, host, tls }: EnvironmentSettings,
): Promise<string> {
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
 * Stores the offset that the clock will have in `aheadMs` milliseconds. Does nothing at speed 1,
 * because the offset then never changes.
 */
function saveClockOffset({ clock }: Sandbox, aheadMs = 0): void {
  if (clock.speed !== 1) clock.keep(aheadMs)
}

function startPeriodicJobs(sandbox: Sandbox, sender: WebhookSender | undefined): () => void {
  let isDeletingOldEvents = false
  const dueTimersInterval = setInterval(() => {
    if (!sandbox.ready) return
    runTimers(sandbox)
    sender?.pump()
    // Delete one batch of old events per interval, so that requests are served in between.
    if (isDeletingOldEvents)
      isDeletingOldEvents = deleteOldEvents(sandbox.store, sandbox.clock.now())
  }, timerIntervalMs)
  // The next call is due in one second, but the timer of a busy process fires late. So store the
  // offset that the clock will have in two seconds.
  saveClockOffset(sandbox, 2 * secondMs)
  const clockSaveInterval = setInterval(() => saveClockOffset(sandbox, 2 * secondMs), secondMs)
  const hourlyCleanupInterval = setInterval(() => {
    sandbox.idempotency.forgetOld(sandbox.clock.now())
    isDeletingOldEvents = true
  }, hourMs)
  return () => {
    clearInterval(dueTimersInterval)
    clearInterval(clockSaveInterval)
    clearInterval(hourlyCleanupInterval)
  }
}

/**
 * Starts the sandbox. Resolves when seeding is done; until then, requests get a 503. Listens before
 * it seeds, so that a port in use (`EADDRINUSE`) is reported at once. Throws `SQLITE_BUSY` if
 * another process uses the folder.
 */
export async function startSandbox(
  settings: EnvironmentSettings,
  certificate: TlsCertificate | undefined,
  reportProgress: ReportProgress,
): Promise<RunningSandbox> {
  mkdirSync(settings.data, { recursive: true, mode: 0o700 })
  const webhookEndpoint = createWebhookEndpoint(
    settings.webhook,
    settings['webhook-secret'],
    settings.data,
  )
  const sandbox = await openSandbox(settings, webhookEndpoint?.url)
  const webhookSender =
    webhookEndpoint &&
    new WebhookSender(sandbox.deliveries, sandbox.clock, new WebhookClient(webhookEndpoint))
  const server = makeServer(createServiceApp(sandbox, settings), certificate)
  const url = await listenAndGetUrl(server, settings)
  if (isSeeded(sandbox)) sandbox.payments.load()
  else await seedSandbox(sandbox, reportProgress)
  sandbox.ready = true
  const stopPeriodicJobs = startPeriodicJobs(sandbox, webhookSender)
  const stopSandbox = async () => {
    stopPeriodicJobs()
    await webhookSender?.stop()
    const forceCloseTimer = setTimeout(() => server.closeAllConnections(), shutdownGraceMs)
    // A connection becomes idle only after its last response, so the idle connections must be
    // closed repeatedly.
    const closeIdleInterval = setInterval(() => server.closeIdleConnections(), 20)
    await new Promise((resolve) => server.close(resolve))
    clearTimeout(forceCloseTimer)
    clearInterval(closeIdleInterval)
    saveClockOffset(sandbox)
    sandbox.store.close()
  }
  return { url, stop: stopSandbox }
}
