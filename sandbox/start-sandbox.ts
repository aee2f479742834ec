import { chmodSync, mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { AccountBook, accountsTable } from './accounts/account-book'
import { CustomerBook, customersTable } from './customers/customer-book'
import { ApiKeys } from './http/api-keys'
import { FaultBook } from './http/fault-book'
import { IdempotencyBook, idempotencyTable } from './http/idempotency'
import { Journal, journalTable } from './http/journal'
import { RateLimit } from './http/rate-limit'
import { RequestLog } from './http/request-log'
import { PaykeyBook, paykeysTable } from './paykeys/paykey-book'
import { moveByClock } from './payments/move-by-clock'
import { PaymentBook } from './payments/payment-book'
import { paymentsTable } from './payments/payment-table'
import type { Flags } from './read-flags'
import type { Sandbox } from './sandbox'
import { isSeeded, type Progress, seedSandbox } from './seed/seed-sandbox'
import { serviceApp } from './service-app'
import { Clock } from './store/clock'
import { settingsTable } from './store/settings'
import { Store } from './store/store'

const tickMs = 250
const hour = 3_600_000
const graceMs = 10_000

/** A sandbox that listens; `stop` ends it in order: no new connections, requests in flight finish, the database closes. */
export type RunningSandbox = { url: string; stop: () => Promise<void> }

async function openSandbox(flags: Flags): Promise<Sandbox> {
  mkdirSync(flags.data, { recursive: true, mode: 0o700 })
  const file = join(flags.data, 'sandbox.db')
  const store = new Store(file)
  chmodSync(file, 0o600)
  for (const table of [settingsTable, accountsTable, customersTable, paykeysTable, paymentsTable, idempotencyTable, journalTable]) {
    store.exec(table)
  }
  return {
    store,
    clock: new Clock(store),
    accounts: new AccountBook(store),
    customers: new CustomerBook(store),
    paykeys: new PaykeyBook(store),
    payments: new PaymentBook(store),
    keys: await ApiKeys.open(flags.data),
    idempotency: new IdempotencyBook(store),
    journal: new Journal(store),
    faults: new FaultBook(),
    requests: new RequestLog(),
    rate: new RateLimit(),
    plan: { seed: flags.seed, payments: flags.payments },
    ready: false,
  }
}

function listen(server: Server, flags: Flags): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(flags.port, flags.host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : flags.port
      resolve(`http://${flags.host}:${port}`)
    })
  })
}

function startTicking(sandbox: Sandbox): () => void {
  const moving = setInterval(() => {
    if (sandbox.ready) moveByClock(sandbox)
  }, tickMs)
  const cleaning = setInterval(() => sandbox.idempotency.forgetOld(sandbox.clock.now()), hour)
  return () => {
    clearInterval(moving)
    clearInterval(cleaning)
  }
}

/**
 * Opens the data folder, listens, and seeds when the folder holds no complete platform; resolves when it is ready. The port is taken
 * first, so that a taken one is told before a long seeding; until ready, requests get 503. Throws what opening or listening throws:
 * `EADDRINUSE` for a taken port, `SQLITE_BUSY` for a folder that another process has open.
 */
export async function startSandbox(flags: Flags, progress: Progress): Promise<RunningSandbox> {
  const sandbox = await openSandbox(flags)
  const server = createAdaptorServer({ fetch: serviceApp(sandbox, flags.control).fetch }) as Server
  // Longer than clients keep idle connections, so that it is never this side that closes one under a request.
  server.keepAliveTimeout = 90_000
  const url = await listen(server, flags)
  if (isSeeded(sandbox)) sandbox.payments.load()
  else await seedSandbox(sandbox, progress)
  sandbox.ready = true
  const stopTicking = startTicking(sandbox)
  const stop = async () => {
    stopTicking()
    const late = setTimeout(() => server.closeAllConnections(), graceMs)
    // A kept-alive connection turns idle when its last answer is out, so it has to be looked for again.
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    await new Promise((resolve) => server.close(resolve))
    clearTimeout(late)
    clearInterval(idle)
    sandbox.store.close()
  }
  return { url, stop }
}
