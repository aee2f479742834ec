import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const browser = 'node_modules/.ensure-browser'
// Keep it from calling out: a test run must see nothing but its own servers.
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic']
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []

const [port, sandboxPort] = [3100, 4011]
const data = 'test-results/data'

export default defineConfig<object, { deskUrl: string; sandboxUrl: string }>({
  testDir: 'e2e',
  // Playwright empties this folder first, so it must not hold the data or the reports.
  outputDir: 'test-results/e2e',
  // A busy machine makes pages slow, not wrong; what has to be there is waited for by the expectations themselves.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 2,
  retries: 0,
  fullyParallel: true,
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    deskUrl: `http://127.0.0.1:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    // No trace: to record one costs a quarter of every test's time, and a failure says what it saw.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: existsSync(browser) ? readFileSync(browser, 'utf8') : undefined,
      args: [...quiet, ...asRoot],
    },
  },
  // A desk with a sandbox of its own, on data that begins anew with each run.
  webServer: {
    command: `node -e "fs.rmSync('${data}', { recursive: true, force: true })" && node scripts/start.mjs`,
    // Its own word, not a first 200: by then the sandbox has its objects too.
    wait: { stdout: /Paydesk +http/ },
    env: {
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_CONTROL: '1',
      DATA_DIR: data,
      // Whatever service a developer's own settings name, the tests meet the embedded sandbox.
      SERVICE_SANDBOX_URL: '',
      SERVICE_SANDBOX_API_KEY: '',
      SERVICE_SANDBOX_BRIDGE_ORIGIN: '',
      SERVICE_PRODUCTION_URL: '',
      SERVICE_PRODUCTION_API_KEY: '',
      SERVICE_PRODUCTION_BRIDGE_ORIGIN: '',
      DATABASE_URL: '',
      // Four demo people do the work of all tests at once; the quotas are for people.
      PERSON_READS_PER_MINUTE: '1000000',
      PERSON_WRITES_PER_HOUR: '1000000',
      PERSON_UPLOADS_PER_HOUR: '1000000',
      APP_ORIGIN: '',
    },
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    timeout: 120_000,
    stdout: 'pipe',
  },
})
