import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endWithParentFlags, quickStartFlags, shortenedTimeGroups } from './command'
import { dialect } from './dialect'
import { findFreePort } from './free-port'
import { copyMigratedStore } from './migrated-store'
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
        'INTEGRATION',
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

function buildEnv(
  { serviceUrl, apiKey, embedded = true, mirror = false, env = {} }: DashboardOptions,
  { url, dataDir, storeUrl }: { url: string; dataDir: string; storeUrl: string | undefined },
): NodeJS.ProcessEnv {
  const settingsPrefix = embedded ? 'EMBEDDED_SANDBOX' : 'SERVICE_SANDBOX'
  return {
    ...defaultEnv,
    [`${settingsPrefix}_URL`]: serviceUrl,
    [`${settingsPrefix}_API_KEY`]: apiKey,
    APP_ORIGIN: url,
    DATA_DIR: dataDir,
    TEST_TIMES: shortenedTimeGroups,
    MIRROR_SYNC: mirror ? 'on' : 'off',
    ...(storeUrl ? { DATABASE_URL: storeUrl } : {}),
    ...env,
  }
}

const checkHealth = (url: string) =>
  fetch(`${url}/api/health`).then(
    (response) => (response.ok ? true : null),
    () => null,
  )

type ServerProcessOptions = { url: string; port: number; folder: string; env: NodeJS.ProcessEnv }

/**
 * Returns functions that start and end the process of a dashboard. `start` can be called again
 * after the process has ended. `log` returns the output of all its processes.
 */
function createServerProcess({ url, port, folder, env }: ServerProcessOptions) {
  let outputText = ''
  let serverProcess: ChildProcess

  async function startServerProcess(extraEnv: Record<string, string> = {}) {
    serverProcess = spawn(
      process.execPath,
      [...quickStartFlags, ...endWithParentFlags, 'build/serve.mjs', '--port', String(port)],
      { env: { ...env, ...extraEnv }, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    for (const stream of [serverProcess.stdout, serverProcess.stderr]) {
      stream?.on('data', (part: Buffer) => {
        outputText += part.toString()
      })
    }
    await waitUntil('the dashboard', () =>
      serverProcess.exitCode === null
        ? checkHealth(url)
        : Promise.reject(new Error(`the dashboard ended: ${outputText}`)),
    )
  }

  return {
    start: startServerProcess,
    log: () => outputText,
    kill: () => serverProcess.kill('SIGKILL'),
    /** Sends the signal, waits for the end of the process, and returns its exit code. */
    end: async (signal: 'SIGTERM' | 'SIGKILL') => {
      serverProcess.kill(signal)
      await waitForExit(serverProcess)
      return serverProcess.exitCode
    },
  }
}

/**
 * Starts the production build in its own process. Without `databaseUrl`, the store is a new
 * migrated database on the PostgreSQL server of the test run, or the embedded store if there is no
 * such server.
 */
export async function startDashboard(options: DashboardOptions) {
  const { databaseUrl, embeddedStore = false, port: given, mirror = false, folder = '.' } = options
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-data-'))
  const postgres =
    !databaseUrl && !embeddedStore && process.env.TEST_POSTGRES ? await startPostgres() : null
  const storeUrl = databaseUrl ?? postgres?.url
  if (!storeUrl) copyMigratedStore(dataDir)
  const port = given ?? (await findFreePort())
  const url = `http://127.0.0.1:${port}`
  const env = buildEnv(options, { url, dataDir, storeUrl })
  const server = createServerProcess({ url, port, folder, env })
  await server.start()
  if (mirror)
    await waitUntil('the mirror', () => (server.log().includes('mirror.imported') ? true : null))
  return {
    url,
    dataDir,
    log: server.log,
    kill9: async () => {
      await server.end('SIGKILL')
    },
    restart: server.start,
    /**
     * Kills the process without waiting for its end. For a caller that ends immediately afterwards.
     */
    abandon: () => {
      server.kill()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
    /**
     * Stops the process but keeps its data, so that a command can open the store. Returns the exit
     * code.
     */
    end: () => server.end('SIGTERM'),
    stop: async () => {
      await server.end('SIGTERM')
      await postgres?.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
