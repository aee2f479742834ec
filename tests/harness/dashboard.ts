import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endWithParentFlags, quickStartFlags, shortenedTimeGroups } from './command'
import { dialect } from './dialect'
import { findFreePort } from './free-port'
import { copyStore } from './migrated-store'
import { startPostgres } from './postgres'
import { waitForExit, waitUntil } from './wait-until'

type DashboardOptions = {
  serviceUrl: string
  apiKey: string
  /**
   * If true, the service is the embedded sandbox, and demo people exist. If false, the service is a
   * configured one, and there are no demo people.
   */
  embedded?: boolean
  databaseUrl?: string | undefined
  /** If true, the store is the embedded database in `dataDir`. */
  embeddedStore?: boolean
  /** By default a free port. */
  port?: number
  /**
   * If true, the dashboard syncs its mirror (the local copy of the service’s objects), and
   * `startDashboard` waits until the mirror is complete. If false, lists contain only objects that
   * were read before.
   */
  mirror?: boolean
  env?: Record<string, string>
  /** The folder in which the process starts, by default the project's own. */
  folder?: string
}

/** The encryption key of the tests' dashboards, unless a test sets another. */
export const testEncryptionKey = 'an-encryption-key-of-this-test-run-0123456789'

export type Dashboard = Awaited<ReturnType<typeof startDashboard>>

/**
 * Sets every setting of the services and the database to empty, so that a developer’s own settings
 * files do not affect the tests.
 */
const emptySettings = Object.fromEntries(
  ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION']
    .flatMap((service) =>
      [
        'URL',
        'API_KEY',
        'BRIDGE_ORIGIN',
        'WEBHOOK_SECRET',
        'WEBHOOK_SECRET_PREVIOUS',
        'WEBHOOK_UNSIGNED',
      ].map((what) => `${service}_${what}`),
    )
    .concat('DATABASE_URL', 'DATABASE_LISTEN_URL')
    .map((name) => [name, '']),
)

const defaultEnv = {
  PATH: process.env.PATH,
  NODE_ENV: 'production' as const,
  ...emptySettings,
  ...dialect.settings,
  AUTH_SECRET: 'a-secret-of-this-test-run-0123456789abcdef',
  ENCRYPTION_KEY: testEncryptionKey,
  // Request limits per person so high that they never apply: a test file sends more requests in a
  // minute than a person in days. Tests of these limits set them to '', which means the default.
  PERSON_READS_PER_MINUTE: '1000000',
  PERSON_WRITES_PER_HOUR: '1000000',
  PERSON_UPLOADS_PER_HOUR: '1000000',
}

/**
 * Starts the production build in its own process. Without `databaseUrl`, the store is a new
 * migrated database on the PostgreSQL server of the test run, or the embedded store if there is no
 * such server.
 */
export async function startDashboard({
  serviceUrl,
  apiKey,
  embedded = true,
  databaseUrl,
  embeddedStore = false,
  port: given,
  mirror = false,
  env = {},
  folder = '.',
}: DashboardOptions) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-data-'))
  const postgres =
    !databaseUrl && !embeddedStore && process.env.TEST_POSTGRES ? await startPostgres() : null
  const storeUrl = databaseUrl ?? postgres?.url
  if (!storeUrl) copyStore(dataDir)
  const port = given ?? (await findFreePort())
  const url = `http://127.0.0.1:${port}`
  const settingsPrefix = embedded ? 'EMBEDDED_SANDBOX' : 'SERVICE_SANDBOX'
  let outputText = ''
  let dashboardProcess: ChildProcess

  async function startProcess(extraEnv: Record<string, string> = {}) {
    dashboardProcess = spawn(
      process.execPath,
      [...quickStartFlags, ...endWithParentFlags, 'build/serve.mjs', '--port', String(port)],
      {
        env: {
          ...defaultEnv,
          [`${settingsPrefix}_URL`]: serviceUrl,
          [`${settingsPrefix}_API_KEY`]: apiKey,
          APP_ORIGIN: url,
          DATA_DIR: dataDir,
          TEST_TIMES: shortenedTimeGroups,
          MIRROR_SYNC: mirror ? 'on' : 'off',
          ...(storeUrl ? { DATABASE_URL: storeUrl } : {}),
          ...env,
          ...extraEnv,
        },
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    for (const stream of [dashboardProcess.stdout, dashboardProcess.stderr]) {
      stream?.on('data', (part: Buffer) => {
        outputText += part.toString()
      })
    }
    const checkHealth = () =>
      fetch(`${url}/api/health`).then(
        (response) => (response.ok ? true : null),
        () => null,
      )
    await waitUntil('the dashboard', () =>
      dashboardProcess.exitCode === null
        ? checkHealth()
        : Promise.reject(new Error(`the dashboard ended: ${outputText}`)),
    )
  }

  await startProcess()
  if (mirror)
    await waitUntil('the mirror', () => (outputText.includes('mirror.imported') ? true : null))
  return {
    url,
    dataDir,
    log: () => outputText,
    kill9: async () => {
      dashboardProcess.kill('SIGKILL')
      await waitForExit(dashboardProcess)
    },
    restart: startProcess,
    /**
     * Kills the process without waiting for its end. For a caller that ends immediately afterwards.
     */
    abandon: () => {
      dashboardProcess.kill('SIGKILL')
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
    /**
     * Stops the process but keeps its data, so that a command can open the store. Returns the exit
     * code.
     */
    end: async () => {
      dashboardProcess.kill('SIGTERM')
      await waitForExit(dashboardProcess)
      return dashboardProcess.exitCode
    },
    stop: async () => {
      dashboardProcess.kill('SIGTERM')
      await waitForExit(dashboardProcess)
      await postgres?.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
