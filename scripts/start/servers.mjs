import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { formatServerLine } from './output.mjs'

const endWithParentUrl = new URL('../end-with-parent.mjs', import.meta.url).href
const maxErrorLines = 8

/**
 * Milliseconds until a server that does not stop is killed. The dashboard may need 60 s: up to 20 s
 * to drain and up to 40 s to finish responses.
 */
const shutdownGraceMs = 75_000

/**
 * Starts a server program. `ended` resolves to its exit code and signal. `lastErrors` contains its
 * last lines on stderr. The program runs in its own process group: otherwise Ctrl-C would signal it
 * twice.
 */
export function startServer({ name, args, env, cwd, isHidden = () => false }) {
  const spawnOptions = {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  }
  const child = spawn(
    process.execPath,
    ['--import', endWithParentUrl, '--enable-source-maps', ...args],
    spawnOptions,
  )
  const printServerLine = (line, stream) => {
    const shownLine = isHidden(line) ? undefined : formatServerLine(name, line)
    if (shownLine !== undefined) stream.write(`${shownLine}\n`)
  }
  const lastErrorLines = []
  createInterface({ input: child.stdout }).on('line', (line) =>
    printServerLine(line, process.stdout),
  )
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastErrorLines.push(line)
    lastErrorLines.splice(0, lastErrorLines.length - maxErrorLines)
    printServerLine(line, process.stderr)
  })
  // Wait for `close` and not for `exit`, which may come before all output is read.
  return {
    name,
    child,
    lastErrors: lastErrorLines,
    ended: once(child, 'close').catch(({ message }) => [message]),
  }
}

function signalProcessGroup({ child }, signal) {
  // A program that could not be started has no process id.
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

export async function stopServer(server) {
  signalProcessGroup(server, 'SIGTERM')
  const killTimer = setTimeout(signalProcessGroup, shutdownGraceMs, server, 'SIGKILL')
  await server.ended
  clearTimeout(killTimer)
}

/**
 * The only environment variables that the sandbox gets: it stands for another company's server, so
 * it must not receive our secrets.
 */
const sandboxEnvNames = ['PATH', 'HOME', 'TZ', 'LANG', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR']

/**
 * V8 flags that keep the sandbox under 150 MB: by default the heap grows to several times the
 * memory in use. A page of a hundred payments gets about 17 % slower.
 */
const memoryFlags = ['--max-semi-space-size=2', '--heap-growing-percent=50']

/** Starts the embedded sandbox. Calls `onReady` when it has generated its data. */
export function startSandbox({ settings, webhookSecretFile, root, onReady }) {
  const { host, port, sandboxPort, dataDir, payments, dialect, integration, origin, control } =
    settings
  const sandboxFlags = [
    `--port=${sandboxPort}`,
    `--data=${join(dataDir, 'sandbox')}`,
    `--payments=${payments}`,
    `--dialect=${dialect}`,
    `--integration=${integration}`,
    `--webhook=http://${host}:${port}/api/webhooks/sandbox`,
    `--webhook-secret-file=${webhookSecretFile}`,
    ...(control ? ['--control'] : []),
    // The sandbox's page for connecting a bank sends messages only to these origins: Paydesk's own,
    // and its address with numbers. An invalid origin is left out here, because the dashboard
    // reports it with its own message.
    ...[origin, `http://${host}:${port}`]
      .filter((url) => URL.canParse(url))
      .map((url) => `--bridge-origin=${new URL(url).origin}`),
  ]
  const sandboxEnvEntries = sandboxEnvNames
    .filter((name) => process.env[name])
    .map((name) => [name, process.env[name]])
  return startServer({
    name: 'sandbox',
    args: [...memoryFlags, join(root, 'sandbox/build/sandbox.mjs'), ...sandboxFlags],
    env: { ...Object.fromEntries(sandboxEnvEntries), NODE_ENV: 'production' },
    cwd: root,
    isHidden: (line) => {
      const isReadyLine = line.startsWith('sandbox ready ')
      if (isReadyLine) onReady()
      return isReadyLine
    },
  })
}

/**
 * Returns the API key of the sandbox, which writes the key before its data. Returns undefined if
 * the signal is aborted first.
 */
export async function readSandboxKey(dataDir, signal) {
  while (!signal.aborted) {
    try {
      return JSON.parse(readFileSync(join(dataDir, 'sandbox/api-keys.json'), 'utf8')).full
    } catch {
      // The sandbox has not written the complete file yet.
      await wait(20)
    }
  }
  return undefined
}
