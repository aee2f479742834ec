import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findFreePort } from './free-port.mjs'
import { buildNodeCommand } from './pin.mjs'
import { signIn } from './sign-in.mjs'

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Starts a program that ends when this process ends. `ready(line)` recognizes the line that shows
 * readiness.
 */
function launchProcess({ name, root, core, args, env, ready }) {
  const [command, before] = buildNodeCommand(core)
  const preloadUrl = pathToFileURL(join(root, 'scripts/end-with-parent.mjs')).href
  const childProcess = spawn(command, [...before, '--import', preloadUrl, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const outputLines = []
  let hasEnded = false
  const exitPromise = new Promise((resolve) => {
    childProcess.once('close', () => {
      hasEnded = true
      resolve()
    })
  })
  const readyPromise = new Promise((resolve, reject) => {
    childProcess.once('close', (code) =>
      reject(new Error(`the ${name} ended with ${code}\n${outputLines.slice(-8).join('\n')}`)),
    )
    childProcess.once('error', reject)
    for (const stream of [childProcess.stdout, childProcess.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        outputLines.push(line)
        if (ready(line)) resolve()
      })
    }
  })
  const stopProcess = async () => {
    childProcess.kill('SIGTERM')
    await exitPromise
  }
  return {
    isReady: readyPromise,
    stop: stopProcess,
    pid: childProcess.pid,
    over: () => hasEnded,
    last: outputLines,
  }
}

const baseEnv = { PATH: process.env.PATH, NODE_ENV: 'production' }

/** Measures the sandbox with the flags of the package script `sandbox`, as users start it. */
function readSandboxNodeFlags(root) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return scripts.sandbox.split(' ').filter((word) => word.startsWith('--'))
}

/** `root` can be another checkout, which may have the bundle in `build`. */
function findSandboxProgram(root) {
  const sandboxPath = join(root, 'sandbox/build/sandbox.mjs')
  return existsSync(sandboxPath) ? sandboxPath : join(root, 'build/sandbox.mjs')
}

/** `webhooksTo` is a URL that receives webhook events. `seconds` is the duration of the start. */
export async function startSandbox({
  root = repositoryRoot,
  core,
  payments = 5000,
  webhooksTo = null,
}) {
  const [data, port] = [mkdtempSync(join(tmpdir(), 'paydesk-bench-sandbox-')), await findFreePort()]
  const url = `http://127.0.0.1:${port}`
  const sandboxFlags = [
    '--port',
    String(port),
    '--data',
    data,
    '--payments',
    String(payments),
    '--control',
  ]
  if (webhooksTo) sandboxFlags.push('--webhook', webhooksTo)
  const startProcess = async () => {
    const startedAt = performance.now()
    const args = [...readSandboxNodeFlags(root), findSandboxProgram(root), ...sandboxFlags]
    const sandboxProcess = launchProcess({
      name: 'sandbox',
      root,
      core,
      args,
      env: baseEnv,
      ready: (line) => line.startsWith('sandbox ready'),
    })
    await sandboxProcess.isReady
    return { ...sandboxProcess, seconds: (performance.now() - startedAt) / 1000 }
  }
  let runningProcess = await startProcess()
  const { full: key } = JSON.parse(readFileSync(join(data, 'api-keys.json'), 'utf8'))
  const callSandbox = async (path, init = {}) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...init.headers,
    }
    const response = await fetch(url + path, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  return {
    url,
    key,
    webhookSecret: webhooksTo && readFileSync(join(data, 'webhook-secret'), 'utf8').trim(),
    ask: callSandbox,
    seconds: runningProcess.seconds,
    pid: () => runningProcess.pid,
    /** Restarts the sandbox on the same data. Returns how many seconds the start took. */
    restart: async () => {
      await runningProcess.stop()
      runningProcess = await startProcess()
      return runningProcess.seconds
    },
    stop: async () => {
      await runningProcess.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/**
 * Waits until the dashboard has imported all objects of the service. Before that, the lists are
 * incomplete, and the import uses processor time.
 */
export async function waitUntilMirrorImported(url) {
  const headers = await signIn(url)
  for (;;) {
    const { data } = await (await fetch(`${url}/api/sandbox/desk/queue-counts`, { headers })).json()
    if (data.mirror === null) return
    await pause(250)
  }
}

/**
 * Starts the dashboard as `npm start` does. `prepare(folder)` can fill its new store before the
 * measured start. With `imported`, the mirror (our copy of the service's objects) is complete and
 * the measured process does not sync. `seconds` is the time until the dashboard was healthy.
 */
export async function startDashboard({
  root = repositoryRoot,
  core,
  sandbox,
  port: given,
  nodeFlags = [],
  settings = {},
  prepare = async () => {},
  imported,
}) {
  const [data, port] = [
    mkdtempSync(join(tmpdir(), 'paydesk-bench-data-')),
    given ?? (await findFreePort()),
  ]
  const url = `http://127.0.0.1:${port}`
  const serverPath = join(root, 'build/serve.mjs')
  // Another checkout may lack `build/serve.mjs`. Next itself then serves the dashboard.
  const programArgs = existsSync(serverPath)
    ? [serverPath, '--port', String(port)]
    : [
        join(root, 'node_modules/next/dist/bin/next'),
        'start',
        '--keepAliveTimeout',
        '75000',
        '-H',
        '127.0.0.1',
        '-p',
        String(port),
      ]
  const dashboardEnv = {
    ...baseEnv,
    EMBEDDED_SANDBOX_URL: sandbox.url,
    EMBEDDED_SANDBOX_API_KEY: sandbox.key,
    APP_ORIGIN: url,
    AUTH_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
    DATA_DIR: data,
    // These limits per person must not apply, because one person sends the requests of many.
    PERSON_READS_PER_MINUTE: '10000000',
    PERSON_WRITES_PER_HOUR: '10000000',
    PERSON_UPLOADS_PER_HOUR: '10000000',
    LOG_LEVEL: 'warn',
    NEXT_TELEMETRY_DISABLED: '1',
    ...settings,
  }
  const startDashboardProcess = async (extraEnv = {}) => {
    const processStartedAt = performance.now()
    const args = [...nodeFlags, ...programArgs]
    const dashboardProcess = launchProcess({
      name: 'dashboard',
      root,
      core,
      args,
      env: { ...dashboardEnv, ...extraEnv },
      ready: (line) => /ready/i.test(line),
    })
    await dashboardProcess.isReady
    while (!(await fetch(`${url}/api/health`).catch(() => undefined))?.ok) {
      if (dashboardProcess.over())
        throw new Error(`the dashboard ended\n${dashboardProcess.last.slice(-8).join('\n')}`)
      await pause(50)
    }
    return { ...dashboardProcess, seconds: (performance.now() - processStartedAt) / 1000 }
  }
  // Stops the process that created the store: it uses more memory than any later one, so it must
  // not be measured.
  const importingProcess = await startDashboardProcess()
  if (imported) await waitUntilMirrorImported(url)
  await importingProcess.stop()
  await prepare(data)
  const measuredProcess = await startDashboardProcess(imported ? { MIRROR_SYNC: 'off' } : {})
  const stopDashboard = async () => {
    await measuredProcess.stop()
    rmSync(data, { recursive: true, force: true })
  }
  return { url, pid: measuredProcess.pid, seconds: measuredProcess.seconds, stop: stopDashboard }
}
