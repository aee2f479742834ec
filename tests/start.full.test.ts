import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const startCommand = [join(root, 'scripts/start.mjs')]
const data = mkdtempSync(join(tmpdir(), 'start-'))
const pollOptions = { timeout: 60_000, interval: 50 }
let ports = { dashboard: 0, sandbox: 0 }

type Run = { child: ChildProcess; output: () => string; exit: Promise<number | null> }
const runs: Run[] = []

const startListening = (port: number) =>
  new Promise<Server>((resolve, reject) => {
    const server = createServer()
    server.on('error', reject).listen(port, '127.0.0.1', () => resolve(server))
  })

const close = (server: Server) => new Promise((resolve) => server.close(resolve))

async function freePorts() {
  const servers = [await startListening(0), await startListening(0)]
  const [dashboard, sandbox] = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(close))
  return { dashboard: dashboard ?? 0, sandbox: sandbox ?? 0 }
}

const acceptsConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(socket.destroy() !== undefined)).on('error', () => resolve(false))
  })

const expectBothStopped = () =>
  vi.waitFor(
    async () => expect([await acceptsConnections(ports.dashboard), await acceptsConnections(ports.sandbox)]).toEqual([false, false]),
    pollOptions,
  )

function runProgram(command: string, args: string[], env: Record<string, string> = {}): Run {
  const deskSettings = { PORT: String(ports.dashboard), SANDBOX_PORT: String(ports.sandbox), DATA_DIR: data }
  const emptySettings = Object.fromEntries(
    ['SANDBOX', 'PRODUCTION']
      .flatMap((name) => ['URL', 'API_KEY', 'BRIDGE_ORIGIN'].map((what) => `SERVICE_${name}_${what}`))
      .map((name) => [name, '']),
  )
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...emptySettings, DATABASE_URL: '', APP_ORIGIN: '', ...deskSettings, ...env },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part))
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const startedRun = { child, output: () => text, exit }
  runs.push(startedRun)
  return startedRun
}

/** Waits until the desk logs that it is ready. If it ends instead, fails immediately with its output. */
const waitUntilReady = (started: Run) =>
  Promise.race([
    vi.waitFor(() => expect(started.output()).toContain('Ctrl-C stops it'), pollOptions),
    started.exit.then((code) => expect.fail(`it ended with ${code} and said:\n${started.output()}`)),
  ])

/** Returns the process id of the sandbox that this start script runs, from the system's list of processes. */
function findSandboxPid({ child }: Run) {
  const processList = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const line = processList.find((each) => each.includes('sandbox.mjs') && each.trim().split(/\s+/)[1] === String(child.pid))
  return { pid: Number(line?.trim().split(/\s+/)[0]), line: line ?? '' }
}

beforeAll(async () => {
  ports = await freePorts()
})

afterEach(async () => {
  for (const { child } of runs.splice(0)) child.kill('SIGTERM')
  await expectBothStopped()
})

afterAll(() => rmSync(data, { recursive: true, force: true }))

describe('a taken port', () => {
  test.each([
    ['dashboard', 'PORT'],
    ['sandbox', 'SANDBOX_PORT'],
  ] as const)('of the %s is reported in one line', async (which, variable) => {
    const blockingServer = await startListening(ports[which])
    const started = runProgram(process.execPath, startCommand)
    expect(await started.exit).toBe(1)
    expect(started.output()).toBe(`port ${ports[which]} is taken: stop what listens there or choose another with ${variable}=…\n`)
    await close(blockingServer)
  })
})

describe('a running Paydesk', () => {
  test('responds, does not print the key, and stops both servers on SIGTERM', async () => {
    const started = runProgram(process.execPath, startCommand)
    await waitUntilReady(started)
    expect((await fetch(`http://127.0.0.1:${ports.dashboard}/api/health`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${ports.dashboard}/favicon.ico`)).headers.get('content-type')).toContain('image')
    expect(started.output()).toContain('operator@paydesk.test')

    const { full } = JSON.parse(readFileSync(join(data, 'sandbox/api-keys.json'), 'utf8')) as { full: string }
    expect(full.length).toBeGreaterThan(20)
    expect(started.output()).not.toContain(full)
    expect(findSandboxPid(started).line).not.toContain(full)

    started.child.kill('SIGTERM')
    expect(await started.exit).toBe(0)
    await expectBothStopped()
  })

  test('ends with one line and an error if the sandbox dies', async () => {
    const started = runProgram(process.execPath, startCommand)
    await waitUntilReady(started)
    process.kill(findSandboxPid(started).pid, 'SIGKILL')
    expect(await started.exit).toBe(1)
    expect(started.output()).toContain('\nthe sandbox was killed by SIGKILL; everything is stopped\n')
    await expectBothStopped()
  })

  test('ends with the process that started it', async () => {
    const started = runProgram('sh', ['-c', `'${process.execPath}' '${startCommand[0]}'; true`])
    await waitUntilReady(started)
    started.child.kill('SIGKILL')
    await expectBothStopped()
  })

  test('leaves no server behind if its script is killed', async () => {
    const started = runProgram(process.execPath, startCommand)
    await waitUntilReady(started)
    started.child.kill('SIGKILL')
    await expectBothStopped()
  })
})

test('an incomplete configuration names the missing setting', async () => {
  const started = runProgram(process.execPath, startCommand, { SERVICE_SANDBOX_URL: 'https://service.test' })
  expect(await started.exit).toBe(1)
  expect(started.output()).toMatch(/^SERVICE_SANDBOX_URL is set but SERVICE_SANDBOX_API_KEY is not: [^\n]+\n$/)
})
