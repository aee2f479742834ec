import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base } from './fixtures'

type DeskUrls = { deskUrl: string; sandboxUrl: string }
type DeskPorts = { port: number; sandboxPort: number; deskUrl: string }

async function findFreePort(): Promise<number> {
  const probeServer = createServer().listen(0, '127.0.0.1')
  await once(probeServer, 'listening')
  const address = probeServer.address()
  probeServer.close()
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * Resolves when the server logs that it has imported the service's objects. Rejects if the server
 * exits before that.
 */
function waitUntilMirrorImported(child: ChildProcess): Promise<void> {
  const logLines: string[] = []
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        logLines.push(line)
        if (/mirror\.imported/.test(line)) resolve()
      })
    }
    child.once('exit', (code) =>
      reject(new Error(`it ended with ${code}: ${logLines.slice(-5).join(' | ')}`)),
    )
  })
}

/**
 * A `test` function that starts a Paydesk server and a sandbox of its own, so that its tests can
 * change settings without an effect on other tests. Fixtures such as `signIn` also use this server,
 * because `deskUrl` and `sandboxUrl` are overridden.
 */
export const test = base.extend<
  object,
  {
    own: DeskUrls
    place: DeskPorts
    settings: Record<string, string>
    deskUrl: string
    sandboxUrl: string
    host: string
  }
>({
  /**
   * The host in the URL of Paydesk. Tests of passkeys set a name, because passkeys do not work with
   * an IP address.
   */
  host: ['127.0.0.1', { option: true, scope: 'worker' }],
  /**
   * The ports and the URL of Paydesk. They are chosen before it starts, so that `settings` can
   * contain them.
   */
  place: [
    async ({ host }, use) => {
      const port = await findFreePort()
      await use({ port, sandboxPort: await findFreePort(), deskUrl: `http://${host}:${port}` })
    },
    { scope: 'worker' },
  ],
  settings: [{}, { option: true, scope: 'worker' }],
  own: [
    async ({ place, settings }, use) => {
      const dataFolder = mkdtempSync(join(tmpdir(), 'paydesk-own-'))
      const { port, sandboxPort, deskUrl } = place
      const clearedVariableNames = ['SANDBOX', 'PRODUCTION'].flatMap((name) =>
        ['URL', 'API_KEY', 'BRIDGE_ORIGIN'].map((what) => `SERVICE_${name}_${what}`),
      )
      const deskEnv = {
        ...process.env,
        ...Object.fromEntries([...clearedVariableNames, 'DATABASE_URL'].map((name) => [name, ''])),
        APP_ORIGIN: deskUrl,
        ...{
          PORT: String(port),
          SANDBOX_PORT: String(sandboxPort),
          SANDBOX_CONTROL: '1',
          SANDBOX_PAYMENTS: '600',
          DATA_DIR: dataFolder,
        },
        TEST_TIMES: 'pauses,hashes',
        PERSON_READS_PER_MINUTE: '1000000',
        PERSON_WRITES_PER_HOUR: '1000000',
        LOG_LEVEL: 'info',
        ...settings,
      }
      const deskProcess = spawn(process.execPath, ['scripts/start.mjs'], {
        env: deskEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const exitPromise = once(deskProcess, 'exit')
      try {
        await waitUntilMirrorImported(deskProcess)
        await use({ deskUrl, sandboxUrl: `http://127.0.0.1:${sandboxPort}` })
      } finally {
        deskProcess.kill('SIGTERM')
        await exitPromise
        rmSync(dataFolder, { recursive: true, force: true })
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  deskUrl: [async ({ own }, use) => use(own.deskUrl), { scope: 'worker' }],
  sandboxUrl: [async ({ own }, use) => use(own.sandboxUrl), { scope: 'worker' }],
})
