import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { trySignIn } from './harness/sign-in'

const projectRoot = fileURLToPath(new URL('..', import.meta.url))
const startScriptArgs = [join(projectRoot, 'scripts/start.mjs')]
const dataFolder = mkdtempSync(join(tmpdir(), 'start-'))
const pollOptions = { timeout: 60_000, interval: 50 }
let freePorts = { dashboard: 0, sandbox: 0 }

type ProgramRun = { child: ChildProcess; output: () => string; exit: Promise<number | null> }
const startedRuns: ProgramRun[] = []

const startListening = (port: number, host = '127.0.0.1') =>
  new Promise<Server>((resolve, reject) => {
    const server = createServer()
    server.on('error', reject).listen(port, host, () => resolve(server))
  })

/** `127.0.0.1`, and `::1` on a machine with IPv6. */
const loopbackAddresses = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .flatMap(({ internal, address }) => (internal && address.length <= 9 ? [address] : []))

const closeServer = (server: Server) => new Promise((resolve) => server.close(resolve))

async function findFreePorts() {
  const servers = [await startListening(0), await startListening(0)]
  const [dashboard, sandbox] = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(closeServer))
  return { dashboard: dashboard ?? 0, sandbox: sandbox ?? 0 }
}

const acceptsConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket
      .on('connect', () => resolve(socket.destroy() !== undefined))
      .on('error', () => resolve(false))
  })

const expectBothServersStopped = () =>
  vi.waitFor(
    async () =>
      expect([
        await acceptsConnections(freePorts.dashboard),
        await acceptsConnections(freePorts.sandbox),
      ]).toEqual([false, false]),
    pollOptions,
  )

function runProgram(command: string, args: string[], env: Record<string, string> = {}): ProgramRun {
  const startSettings = {
    PORT: String(freePorts.dashboard),
    SANDBOX_PORT: String(freePorts.sandbox),
    DATA_DIR: dataFolder,
  }
  const emptySettings = Object.fromEntries(
    ['SANDBOX', 'PRODUCTION']
      .flatMap((name) =>
        ['URL', 'API_KEY', 'BRIDGE_ORIGIN'].map((what) => `SERVICE_${name}_${what}`),
      )
      .map((name) => [name, '']),
  )
  const child = spawn(command, args, {
    cwd: projectRoot,
    env: {
      ...process.env,
      ...emptySettings,
      DATABASE_URL: '',
      APP_ORIGIN: '',
      ...startSettings,
      ...env,
    },
  })
  let outputText = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => (outputText += part))
  const exitCodePromise = new Promise<number | null>((resolve) => child.on('close', resolve))
  const startedRun = { child, output: () => outputText, exit: exitCodePromise }
  startedRuns.push(startedRun)
  return startedRun
}

/**
 * Waits until the program prints that Paydesk is ready. If the program ends instead, the test fails
 * at once with the program’s output.
 */
const waitUntilReady = (programRun: ProgramRun) =>
  Promise.race([
    vi.waitFor(() => expect(programRun.output()).toContain('Ctrl-C stops it'), pollOptions),
    programRun.exit.then((code) =>
      expect.fail(`it ended with ${code} and said:\n${programRun.output()}`),
    ),
  ])

/**
 * Finds the sandbox that this start script started in the system’s list of processes. Returns its
 * process id and its line of the list.
 */
function findSandboxProcess({ child }: ProgramRun) {
  const processList = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], {
    encoding: 'utf8',
  }).split('\n')
  const processLine = processList.find(
    (each) => each.includes('sandbox.mjs') && each.trim().split(/\s+/)[1] === String(child.pid),
  )
  return { pid: Number(processLine?.trim().split(/\s+/)[0]), line: processLine ?? '' }
}

beforeAll(async () => {
  freePorts = await findFreePorts()
})

afterEach(async () => {
  for (const { child } of startedRuns.splice(0)) child.kill('SIGTERM')
  await expectBothServersStopped()
})

afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

describe('a taken port', () => {
  const takenPorts = loopbackAddresses.flatMap((address) => [
    ['dashboard', 'PORT', address] as const,
    ['sandbox', 'SANDBOX_PORT', address] as const,
  ])
  test.each(takenPorts)('of the %s (%s, %s) is reported in one line', async (...row) => {
    const [which, variable, address] = row
    const blockingServer = await startListening(freePorts[which], address)
    const programRun = runProgram(process.execPath, startScriptArgs)
    expect(await programRun.exit).toBe(1)
    expect(programRun.output()).toBe(
      `port ${freePorts[which]} is taken: stop what listens there or choose another with ${variable}=…\n`,
    )
    await closeServer(blockingServer)
  })
})

describe('a running Paydesk', () => {
  test('responds, does not print the key, and stops both servers on SIGTERM', async () => {
    const paydeskRun = runProgram(process.execPath, startScriptArgs)
    await waitUntilReady(paydeskRun)
    expect((await fetch(`http://127.0.0.1:${freePorts.dashboard}/api/health`)).status).toBe(200)
    expect(
      (await fetch(`http://127.0.0.1:${freePorts.dashboard}/favicon.ico`)).headers.get(
        'content-type',
      ),
    ).toContain('image')
    expect(paydeskRun.output()).toContain('operator@paydesk.test')
    expect(paydeskRun.output()).toContain(`Paydesk  http://localhost:${freePorts.dashboard} `)
    for (const host of ['localhost', '127.0.0.1'])
      expect(
        await trySignIn(
          `http://${host}:${freePorts.dashboard}`,
          'operator@paydesk.test',
          'paydesk-demo',
        ),
      ).toMatchObject({ ok: true })

    const { full } = JSON.parse(
      readFileSync(join(dataFolder, 'sandbox/api-keys.json'), 'utf8'),
    ) as { full: string }
    expect(full.length).toBeGreaterThan(20)
    expect(paydeskRun.output()).not.toContain(full)
    expect(findSandboxProcess(paydeskRun).line).not.toContain(full)

    paydeskRun.child.kill('SIGTERM')
    expect(await paydeskRun.exit).toBe(0)
    await expectBothServersStopped()
  })

  test('ends with one line and an error if the sandbox dies', async () => {
    const runWithKilledSandbox = runProgram(process.execPath, startScriptArgs)
    await waitUntilReady(runWithKilledSandbox)
    process.kill(findSandboxProcess(runWithKilledSandbox).pid, 'SIGKILL')
    expect(await runWithKilledSandbox.exit).toBe(1)
    expect(runWithKilledSandbox.output()).toContain(
      '\nthe sandbox was killed by SIGKILL; everything is stopped\n',
    )
    await expectBothServersStopped()
  })

  test('ends with the process that started it', async () => {
    const runStartedByShell = runProgram('sh', [
      '-c',
      `'${process.execPath}' '${startScriptArgs[0]}'; true`,
    ])
    await waitUntilReady(runStartedByShell)
    runStartedByShell.child.kill('SIGKILL')
    await expectBothServersStopped()
  })

  test('leaves no server behind if its script is killed', async () => {
    const killedScriptRun = runProgram(process.execPath, startScriptArgs)
    await waitUntilReady(killedScriptRun)
    killedScriptRun.child.kill('SIGKILL')
    await expectBothServersStopped()
  })
})

test('an incomplete configuration names the missing setting', async () => {
  const incompleteSettingsRun = runProgram(process.execPath, startScriptArgs, {
    SERVICE_SANDBOX_URL: 'https://service.test',
  })
  expect(await incompleteSettingsRun.exit).toBe(1)
  expect(incompleteSettingsRun.output()).toMatch(
    /^SERVICE_SANDBOX_URL is set but SERVICE_SANDBOX_API_KEY is not: [^\n]+\n$/,
  )
})
