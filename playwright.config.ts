import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { getDataFolder, metricsToken } from './e2e/sandbox'

const browserPathFile = 'node_modules/.ensure-browser'
// Turns off the browser's own network requests: a test run must connect only to its own servers.
const offlineBrowserArgs = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]
const rootUserArgs = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/**
 * The tests of the main tasks. They run with both dialects of the sandbox: `document` (the
 * interface document) and `provider` (the provider's older contract).
 */
const specFilesForBothDialects = [
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

type TestServer = { dialect: string; port: number; sandboxPort: number }

/** Returns the settings of a Paydesk server with its own sandbox. Its data is new in each run. */
function buildServerConfig({ dialect, port, sandboxPort }: TestServer) {
  const dataFolder = getDataFolder(dialect)
  return {
    command: `node e2e/new-data.mjs '${dataFolder}' && node scripts/start.mjs`,
    // Waits for this line in the log and not for the first 200. Only then the sandbox has its
    // objects, and Paydesk has imported them.
    wait: { stdout: /mirror\.imported/ },
    env: {
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_CONTROL: '1',
      SANDBOX_PAYMENTS: '600',
      SANDBOX_DIALECT: dialect,
      DATA_DIR: dataFolder,
      // Empty, so that a developer's own settings do not replace the embedded sandbox.
      SERVICE_SANDBOX_URL: '',
      SERVICE_SANDBOX_API_KEY: '',
      SERVICE_SANDBOX_BRIDGE_ORIGIN: '',
      SERVICE_PRODUCTION_URL: '',
      SERVICE_PRODUCTION_API_KEY: '',
      SERVICE_PRODUCTION_BRIDGE_ORIGIN: '',
      DATABASE_URL: '',
      // The demo admin creates the people of all tests, so the quotas per person must not limit the
      // demo admin.
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

/** The first of four consecutive ports, for the Paydesk servers and sandboxes of the tests. */
const firstPort = Number(process.env.TEST_PORT ?? 3100)
const documentServer = { dialect: 'document', port: firstPort, sandboxPort: firstPort + 2 }
const providerServer = { dialect: 'provider', port: firstPort + 1, sandboxPort: firstPort + 3 }

/** `npm run test:full` runs all tests; `npm test` excludes those with the tag `@full`. */
const isFullTestRun = process.env.TEST_FULL === '1'

/**
 * Both servers. If BROWSER_DIALECT names a dialect, only the server with that dialect is started.
 */
const testServers = [documentServer, providerServer].filter(
  ({ dialect }) => (process.env.BROWSER_DIALECT ?? dialect) === dialect,
)

function buildProject({ dialect, port, sandboxPort }: TestServer) {
  return {
    name: dialect,
    use: { deskUrl: `http://127.0.0.1:${port}`, sandboxUrl: `http://127.0.0.1:${sandboxPort}` },
  }
}

export default defineConfig<object, { deskUrl: string; sandboxUrl: string }>({
  testDir: 'e2e',
  // Playwright empties this folder first, so the data must be in another folder.
  outputDir: 'test-results/e2e',
  // The timeouts are long because pages are slow on a busy machine. An expectation continues as
  // soon as the page has the content.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Three workers suit a machine with two cores, because each worker spends about 33 % of its time
  // waiting for the result of an action.
  workers: 3,
  retries: 0,
  grepInvert: isFullTestRun ? [] : /@full/,
  fullyParallel: true,
  forbidOnly: true,
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // No trace is recorded: that would take 25 % of the time of each test, and there is a
    // screenshot of each failure.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: existsSync(browserPathFile)
        ? readFileSync(browserPathFile, 'utf8')
        : undefined,
      args: [...offlineBrowserArgs, ...rootUserArgs],
    },
  },
  projects: testServers.map((desk) =>
    desk === providerServer
      ? { ...buildProject(desk), testMatch: specFilesForBothDialects }
      : buildProject(desk),
  ),
  webServer: testServers.map(buildServerConfig),
})
