import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './end-with-parent.mjs'
import { bundlePrograms, watchSandbox } from './start/bundle.mjs'
import { buildReadyMessage, toExitMessage } from './start/output.mjs'
import { checkPortFree, waitUntilHealthy } from './start/ports.mjs'
import { readSettings } from './start/read-settings.mjs'
import { UserFacingError } from './start/run-quietly.mjs'
import { readSandboxKey, startSandbox, startServer, stopServer } from './start/servers.mjs'
import {
  buildDashboardEnv,
  loadAuthSecret,
  loadEncryptionKey,
  loadWebhookSecret,
  parseStartSettings,
  refuseSandboxVariables,
} from './start/settings.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const isDev = process.argv.includes('--dev')
const stopController = new AbortController()
const runningServers = new Set()

/**
 * Stops all servers and exits. Later calls do nothing, so that only the first reason is printed.
 */
async function stopAndExit(exitCode, errorMessage) {
  if (stopController.signal.aborted) return
  stopController.abort()
  if (errorMessage) console.error(errorMessage)
  // Stop the servers in reverse order: the dashboard may need the sandbox to finish its responses.
  for (const server of [...runningServers].reverse()) await stopServer(server)
  process.exit(exitCode)
}

function registerServer(server) {
  runningServers.add(server)
  server.ended.then(
    (ending) => runningServers.has(server) && stopAndExit(1, toExitMessage(server, ending)),
  )
  return server
}

/**
 * Starts the sandbox and resolves when it is ready. In development, each later change of the
 * sources restarts it.
 */
const startWatchedSandbox = (settings, webhookSecretFile) =>
  new Promise((resolve, reject) => {
    const startRegisteredSandbox = () =>
      registerServer(startSandbox({ settings, webhookSecretFile, root, onReady: resolve }))
    if (!isDev) return startRegisteredSandbox()
    let sandboxServer
    const restartSandbox = async () => {
      if (sandboxServer) {
        runningServers.delete(sandboxServer)
        await stopServer(sandboxServer)
      }
      if (!stopController.signal.aborted) sandboxServer = startRegisteredSandbox()
    }
    watchSandbox(root, restartSandbox).catch(reject)
  })

async function runDashboard({ host, port }, env) {
  if (isDev) await bundlePrograms(root, ['build/serve'])
  const dashboardArgs = [
    join(root, 'build/serve.mjs'),
    '--host',
    host,
    '--port',
    String(port),
    ...(isDev ? ['--dev'] : []),
  ]
  registerServer(startServer({ name: 'dashboard', args: dashboardArgs, env, cwd: root }))
}

async function startAll() {
  const rawSettings = readSettings(root, { dev: isDev })
  refuseSandboxVariables(rawSettings)
  const { variables } = rawSettings
  const settings = parseStartSettings(variables, root)
  const { host, port, sandboxPort, dataDir, embedded } = settings
  await checkPortFree(host, port, 'PORT')
  if (embedded) await checkPortFree(host, sandboxPort, 'SANDBOX_PORT')

  const authSecret = loadAuthSecret(variables, dataDir)
  const encryptionSecret = loadEncryptionKey(variables, dataDir)
  console.info(`  starting ${embedded ? 'the sandbox and the dashboard' : 'the dashboard'}…`)
  const webhookSecretConfig = embedded ? loadWebhookSecret(dataDir) : undefined
  const sandboxReadyPromise =
    webhookSecretConfig && startWatchedSandbox(settings, webhookSecretConfig.file)
  const sandboxApiKey =
    webhookSecretConfig && (await readSandboxKey(dataDir, stopController.signal))
  if (stopController.signal.aborted) return
  await runDashboard(
    settings,
    buildDashboardEnv(variables, settings, {
      secret: authSecret,
      encryption: encryptionSecret,
      sandboxKey: sandboxApiKey,
      webhooks: webhookSecretConfig?.secret,
      dev: isDev,
    }),
  )
  await Promise.all([
    sandboxReadyPromise,
    waitUntilHealthy(`http://${host}:${port}/api/health`, stopController.signal),
  ])
  if (!stopController.signal.aborted)
    console.info(buildReadyMessage(settings, performance.now() / 1000))
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAndExit(0))
startAll().catch((error) =>
  stopAndExit(1, error instanceof UserFacingError ? error.message : error),
)
