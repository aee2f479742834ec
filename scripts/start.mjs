import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './end-with-parent.mjs'
import { bundlePrograms, watchSandbox } from './start/bundle.mjs'
import { readyBlock, toExitMessage } from './start/output.mjs'
import { checkFree, waitUntilHealthy } from './start/ports.mjs'
import { readSettings } from './start/read-settings.mjs'
import { PlainError } from './start/run-quietly.mjs'
import { sandboxKey, startSandbox, startServer, stopServer } from './start/servers.mjs'
import { authSecret, dashboardEnv, encryptionKey, refuseSandboxVariables, startSettings, webhookSecret } from './start/settings.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dev = process.argv.includes('--dev')
const stopping = new AbortController()
const servers = new Set()

/** Stops all servers and ends the process with `code`. Later calls do nothing, so the first reason is printed. */
async function stop(code, line) {
  if (stopping.signal.aborted) return
  stopping.abort()
  if (line) console.error(line)
  // Servers stop in reverse order: the dashboard may need the sandbox to finish its responses.
  for (const server of [...servers].reverse()) await stopServer(server)
  process.exit(code)
}

/** Registers a server, and stops all servers when it ends. */
function stopAllWhenEnded(server) {
  servers.add(server)
  server.ended.then((ending) => servers.has(server) && stop(1, toExitMessage(server, ending)))
  return server
}

/** Starts the sandbox. In dev, restarts it after each change of its sources. Resolves when the first sandbox is ready. */
const runSandbox = (settings, webhookSecretFile) =>
  new Promise((resolve, reject) => {
    const launch = () => stopAllWhenEnded(startSandbox({ settings, webhookSecretFile, root, onReady: resolve }))
    if (!dev) return launch()
    let current
    const restart = async () => {
      if (current) {
        servers.delete(current)
        await stopServer(current)
      }
      if (!stopping.signal.aborted) current = launch()
    }
    watchSandbox(root, restart).catch(reject)
  })

async function runDashboard({ host, port }, env) {
  if (dev) await bundlePrograms(root, ['build/serve'])
  const args = [join(root, 'build/serve.mjs'), '--host', host, '--port', String(port), ...(dev ? ['--dev'] : [])]
  stopAllWhenEnded(startServer({ name: 'dashboard', args, env, cwd: root }))
}

async function start() {
  const rawSettings = readSettings(root, { dev })
  refuseSandboxVariables(rawSettings)
  const { variables } = rawSettings
  const settings = startSettings(variables, root)
  const { host, port, sandboxPort, dataDir, embedded } = settings
  await checkFree(host, port, 'PORT')
  if (embedded) await checkFree(host, sandboxPort, 'SANDBOX_PORT')

  const secret = authSecret(variables, dataDir)
  const encryption = encryptionKey(variables, dataDir)
  console.info(`  starting ${embedded ? 'the sandbox and the dashboard' : 'the dashboard'}…`)
  const webhooks = embedded ? webhookSecret(dataDir) : undefined
  const sandbox = webhooks && runSandbox(settings, webhooks.file)
  const key = webhooks && (await sandboxKey(dataDir, stopping.signal))
  if (stopping.signal.aborted) return
  await runDashboard(settings, dashboardEnv(variables, settings, { secret, encryption, sandboxKey: key, webhooks: webhooks?.secret, dev }))
  await Promise.all([sandbox, waitUntilHealthy(`http://${host}:${port}/api/health`, stopping.signal)])
  if (!stopping.signal.aborted) console.info(readyBlock(settings, performance.now() / 1000))
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))
start().catch((error) => stop(1, error instanceof PlainError ? error.message : error))
