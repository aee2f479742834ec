import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endWithParent, quickStart, shortTimes } from './command'
import { dialect } from './dialect'
import { freePort } from './free-port'
import { copyStore } from './migrated-store'
import { startPostgres } from './postgres'
import { gone, until } from './until'

type Options = {
  serviceUrl: string
  apiKey: string
  /** Whether the service is the embedded sandbox, with its demo people, or one that was configured, with people of its own. */
  embedded?: boolean
  databaseUrl?: string | undefined
  /** Whether its store is the embedded one, in `dataDir`. */
  embeddedStore?: boolean
  /** A free one unless somebody has to know it before. */
  port?: number
  /** Whether it keeps its mirror, which is then whole when this is started: what its lists show. Without it they show what passed through. */
  mirror?: boolean
  env?: Record<string, string>
  /** The folder it is started in, where that is not the project's own. */
  folder?: string
}

/** What every dashboard of the tests encrypts under, unless one is started with another. */
export const testEncryptionKey = 'an-encryption-key-of-this-test-run-0123456789'

export type Dashboard = Awaited<ReturnType<typeof startDashboard>>

/** Set to nothing, so that a developer's own files do not reach a test. */
const nothing = Object.fromEntries(
  ['SERVICE_SANDBOX', 'SERVICE_PRODUCTION']
    .flatMap((service) =>
      ['URL', 'API_KEY', 'BRIDGE_ORIGIN', 'WEBHOOK_SECRET', 'WEBHOOK_SECRET_PREVIOUS', 'WEBHOOK_UNSIGNED'].map(
        (what) => `${service}_${what}`,
      ),
    )
    .concat('DATABASE_URL', 'DATABASE_LISTEN_URL')
    .map((name) => [name, '']),
)

const usual = {
  PATH: process.env.PATH,
  NODE_ENV: 'production' as const,
  ...nothing,
  ...dialect.settings,
  AUTH_SECRET: 'a-secret-of-this-test-run-0123456789abcdef',
  ENCRYPTION_KEY: testEncryptionKey,
  // A file does in a minute what a person does in days. Tests of the quotas set them back to '', which is the default.
  PERSON_READS_PER_MINUTE: '1000000',
  PERSON_WRITES_PER_HOUR: '1000000',
  PERSON_UPLOADS_PER_HOUR: '1000000',
}

/**
 * The real production build in a process of its own. The store is a migrated database of its own unless an address is given; without a server of the run
 * it is the embedded one.
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
}: Options) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-data-'))
  const postgres = !databaseUrl && !embeddedStore && process.env.TEST_POSTGRES ? await startPostgres() : null
  const storeUrl = databaseUrl ?? postgres?.url
  if (!storeUrl) copyStore(dataDir)
  const port = given ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const service = embedded ? 'EMBEDDED_SANDBOX' : 'SERVICE_SANDBOX'
  let out = ''
  let child: ChildProcess

  async function start(more: Record<string, string> = {}) {
    child = spawn(process.execPath, [...quickStart, ...endWithParent, 'build/serve.mjs', '--port', String(port)], {
      env: {
        ...usual,
        [`${service}_URL`]: serviceUrl,
        [`${service}_API_KEY`]: apiKey,
        APP_ORIGIN: url,
        DATA_DIR: dataDir,
        TEST_TIMES: shortTimes,
        MIRROR_SYNC: mirror ? 'on' : 'off',
        ...(storeUrl ? { DATABASE_URL: storeUrl } : {}),
        ...env,
        ...more,
      },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part: Buffer) => {
        out += part.toString()
      })
    }
    const answers = () =>
      fetch(`${url}/api/health`).then(
        (response) => (response.ok ? true : null),
        () => null,
      )
    await until('the dashboard', () => (child.exitCode === null ? answers() : Promise.reject(new Error(`the dashboard ended: ${out}`))))
  }

  await start()
  if (mirror) await until('the mirror', () => (out.includes('mirror.imported') ? true : null))
  return {
    url,
    dataDir,
    /** Everything it has written to stdout and stderr. */
    log: () => out,
    kill9: async () => {
      child.kill('SIGKILL')
      await gone(child)
    },
    restart: start,
    /** Ends it without waiting for it, for a process that is about to end itself. */
    abandon: () => {
      child.kill('SIGKILL')
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
    /** Ends the process and keeps its data, so that a command can open the store; gives the exit code. */
    end: async () => {
      child.kill('SIGTERM')
      await gone(child)
      return child.exitCode
    },
    stop: async () => {
      child.kill('SIGTERM')
      await gone(child)
      await postgres?.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
