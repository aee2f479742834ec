import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePrograms } from './start/bundle.mjs'
import { readyBlock, shownLine } from './start/output.mjs'
import { checkFree, untilHealthy } from './start/ports.mjs'
import { readSettings } from './start/read-settings.mjs'
import { PlainError } from './start/run-quietly.mjs'
import { sandboxKey, startSandbox } from './start/sandbox.mjs'
import { obituary, startChild, stopChild } from './start/servers.mjs'
import { authSecret, dashboardEnv, encryptionKey, refuseOwnNames, startSettings, webhookSecret } from './start/settings.mjs'
import { onParentDeath } from './watch-parent.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dev = process.argv.includes('--dev')
const began = Date.now()
const stopping = new AbortController()
const servers = new Set()

/** Stops all servers once and ends the process. The first reason wins. */
async function stop(code, line) {
  if (stopping.signal.aborted) return
  stopping.abort()
  if (line) console.error(line)
  // The dashboard may still need the sandbox to finish responses, so it stops first.
  for (const server of [...servers].reverse()) await stopChild(server)
  process.exit(code)
}

/** Registers a server. If it ends for any reason, all servers are stopped. */
function keep(server) {
  servers.add(server)
  server.ended.then((how) => (servers.has(server) ? stop(1, obituary(server, how)) : undefined))
  return server
}

const show = (name) => (line, stream) => {
  const outputLine = shownLine(name, line)
  if (outputLine !== undefined) stream.write(`${outputLine}\n`)
}

/** Starts the sandbox and, in dev, restarts it after each change of its sources. Resolves when the first one is ready. */
async function runSandbox(settings, webhookSecretFile) {
  let ready
  const isReady = new Promise((resolve) => {
    ready = resolve
  })
  const launch = () => keep(startSandbox({ settings, webhookSecretFile, root, onLine: show('sandbox'), onReady: ready }))
  if (!dev) {
    launch()
    return isReady
  }
  const { watchSandbox } = await import('./start/bundle.mjs')
  let current
  await watchSandbox(root, async () => {
    if (current) {
      servers.delete(current)
      await stopChild(current)
    }
    if (!stopping.signal.aborted) current = launch()
  })
  return isReady
}

async function runDashboard(settings, env) {
  if (dev) await bundlePrograms(root, ['build/serve'])
  const address = ['--host', settings.host, '--port', String(settings.port), ...(dev ? ['--dev'] : [])]
  const args = ['--enable-source-maps', join(root, 'build/serve.mjs'), ...address]
  keep(startChild({ name: 'dashboard', args, env, cwd: root, onLine: show('dashboard') }))
}

async function start() {
  const rawSettings = readSettings(root, { dev })
  refuseOwnNames(rawSettings)
  const { variables } = rawSettings
  const settings = startSettings(variables, root)
  await checkFree(settings.host, settings.port, 'PORT')
  if (settings.embedded) await checkFree(settings.host, settings.sandboxPort, 'SANDBOX_PORT')

  const secret = authSecret(variables, settings.dataDir)
  const encryption = encryptionKey(variables, settings.dataDir)
  console.info(`  starting ${settings.embedded ? 'the sandbox and the dashboard' : 'the dashboard'}…`)
  const webhooks = settings.embedded ? webhookSecret(settings.dataDir) : undefined
  const sandbox = webhooks && runSandbox(settings, webhooks.file)
  const key = sandbox && (await sandboxKey(settings.dataDir, stopping.signal))
  if (stopping.signal.aborted) return
  await runDashboard(settings, dashboardEnv(variables, settings, { secret, encryption, sandboxKey: key, webhooks: webhooks?.secret, dev }))
  const health = `http://${settings.host}:${settings.port}/api/health`
  await Promise.all([sandbox, untilHealthy(health, stopping)])
  if (!stopping.signal.aborted) console.info(readyBlock(settings, (Date.now() - began) / 1000))
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))
onParentDeath(() => stop(0))
start().catch((error) => stop(1, error instanceof PlainError ? error.message : error))
