import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { dataOf, metricsToken } from './e2e/sandbox'

const browser = 'node_modules/.ensure-browser'
// Prevents the browser's own network calls: a test run must reach only its own servers.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic']
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** The main tasks, tested with both dialects of the service. */
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

/** The server settings of a desk with its own sandbox, on data that is new in each run. */
function serverOf({ dialect, port, sandboxPort }: Desk) {
  const data = dataOf(dialect)
  return {
    command: `node e2e/new-data.mjs '${data}' && node scripts/start.mjs`,
    // Wait for this log line, not for the first 200: only then the sandbox has its objects and the desk has read them.
    wait: { stdout: /mirror\.imported/ },
    env: {
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_CONTROL: '1',
      SANDBOX_PAYMENTS: '600',
      SANDBOX_DIALECT: dialect,
      DATA_DIR: data,
      // Empty, so that a developer's own settings never replace the embedded sandbox.
      SERVICE_SANDBOX_URL: '',
      SERVICE_SANDBOX_API_KEY: '',
      SERVICE_SANDBOX_BRIDGE_ORIGIN: '',
      SERVICE_PRODUCTION_URL: '',
      SERVICE_PRODUCTION_API_KEY: '',
      SERVICE_PRODUCTION_BRIDGE_ORIGIN: '',
      DATABASE_URL: '',
      // The demo admin creates the people of all tests, so the quotas per person must not apply.
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

/** The first of four consecutive ports for the desks and sandboxes of the tests. */
const firstPort = Number(process.env.TEST_PORT ?? 3100)
const document = { dialect: 'document', port: firstPort, sandboxPort: firstPort + 2 }
const provider = { dialect: 'provider', port: firstPort + 1, sandboxPort: firstPort + 3 }

/** `npm run test:full` runs everything; `npm test` leaves out tests tagged `@full`. */
const isFull = process.env.TEST_FULL === '1'

/** Both desks, unless BROWSER_DIALECT names one: then the other desk is not started. */
const desks = [document, provider].filter(({ dialect }) => (process.env.BROWSER_DIALECT ?? dialect) === dialect)

function project({ dialect, port, sandboxPort }: Desk) {
  return { name: dialect, use: { deskUrl: `http://127.0.0.1:${port}`, sandboxUrl: `http://127.0.0.1:${sandboxPort}` } }
}

export default defineConfig<object, { deskUrl: string; sandboxUrl: string }>({
  testDir: 'e2e',
  // Playwright empties this folder first, so it must not hold the data.
  outputDir: 'test-results/e2e',
  // A busy machine makes pages slow, not wrong. The expectations wait for the content.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // For two cores: each worker waits a third of its time for the result of an action.
  workers: 3,
  retries: 0,
  grepInvert: isFull ? [] : /@full/,
  fullyParallel: true,
  forbidOnly: true,
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // No trace: recording one takes a quarter of every test's time, and a failure has a screenshot.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: existsSync(browser) ? readFileSync(browser, 'utf8') : undefined,
      args: [...quiet, ...asRoot],
    },
  },
  projects: desks.map((desk) => (desk === provider ? { ...project(desk), testMatch: mainTasks } : project(desk))),
  webServer: desks.map(serverOf),
})
