import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { dataOf, metricsToken } from './e2e/sandbox'

const browser = 'node_modules/.ensure-browser'
// Keep it from calling out: a test run must see nothing but its own servers.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic']
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** The main tasks, which are done at a service of either dialect. */
const mainTasks = [
  'account-onboarding',
  'charge-actions',
  'charge-create',
  'charge-returns',
  'deletion',
  'home',
  'limits',
  'paykey-review',
  'paykey-unblock',
  'payments-search',
  'payout-release',
  'upload',
  'way-in',
].map((name) => `${name}.spec.ts`)

type Desk = { dialect: string; port: number; sandboxPort: number }

/** A desk with a sandbox of its own, on data that begins anew with each run. */
function serverOf({ dialect, port, sandboxPort }: Desk) {
  const data = dataOf(dialect)
  return {
    command: `node e2e/new-data.mjs '${data}' && node scripts/start.mjs`,
    // Its own word, not a first 200: by then the sandbox has its objects, and the desk has read them.
    wait: { stdout: /mirror\.imported/ },
    env: {
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_CONTROL: '1',
      SANDBOX_PAYMENTS: '600',
      SANDBOX_DIALECT: dialect,
      DATA_DIR: data,
      // Whatever service a developer's own settings name, the tests meet the embedded sandbox.
      SERVICE_SANDBOX_URL: '',
      SERVICE_SANDBOX_API_KEY: '',
      SERVICE_SANDBOX_BRIDGE_ORIGIN: '',
      SERVICE_PRODUCTION_URL: '',
      SERVICE_PRODUCTION_API_KEY: '',
      SERVICE_PRODUCTION_BRIDGE_ORIGIN: '',
      DATABASE_URL: '',
      // The demo admin makes the people of all tests; the quotas are for people.
      PERSON_READS_PER_MINUTE: '1000000',
      PERSON_WRITES_PER_HOUR: '1000000',
      PERSON_UPLOADS_PER_HOUR: '1000000',
      APP_ORIGIN: '',
      METRICS_TOKEN: metricsToken,
      LOG_LEVEL: 'info',
      TEST_TIMES: 'pauses,hashes',
    },
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
    timeout: 120_000,
    stdout: 'pipe' as const,
  }
}

/** The first of four ports in a row that the desks and sandboxes of the tests listen on. */
const firstPort = Number(process.env.TEST_PORT ?? 3100)
const document = { dialect: 'document', port: firstPort, sandboxPort: firstPort + 2 }
const provider = { dialect: 'provider', port: firstPort + 1, sandboxPort: firstPort + 3 }

/** `npm run test:full` runs all there is; `npm test` leaves out what is tagged `@full`. */
const isFull = process.env.TEST_FULL === '1'

/** Both, unless a run is for one alone: then the other's desk is not started. */
const desks = [document, provider].filter(({ dialect }) => (process.env.BROWSER_DIALECT ?? dialect) === dialect)

function project({ dialect, port, sandboxPort }: Desk) {
  return { name: dialect, use: { deskUrl: `http://127.0.0.1:${port}`, sandboxUrl: `http://127.0.0.1:${sandboxPort}` } }
}

export default defineConfig<object, { deskUrl: string; sandboxUrl: string }>({
  testDir: 'e2e',
  // Playwright empties this folder first, so it must not hold the data.
  outputDir: 'test-results/e2e',
  // A busy machine makes pages slow, not wrong; what has to be there is waited for by the expectations themselves.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Each waits a third of its time for what an action shows, on two cores.
  workers: 3,
  retries: 0,
  grepInvert: isFull ? [] : /@full/,
  fullyParallel: true,
  forbidOnly: true,
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // No trace: to record one costs a quarter of every test's time, and a failure says what it saw.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: existsSync(browser) ? readFileSync(browser, 'utf8') : undefined,
      args: [...quiet, ...asRoot],
    },
  },
  projects: desks.map((desk) => (desk === provider ? { ...project(desk), testMatch: mainTasks } : project(desk))),
  webServer: desks.map(serverOf),
})
