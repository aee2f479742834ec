import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Agent, fetch as undiciFetch } from 'undici'
import { type DialectName, dialectNames } from '@/sandbox/dialects/dialects'
import { program } from './bundle-once'

/** The keys of one environment; `foreign` is one of the other environment's kind. */
type Keys = { full: string; read_only: string; expired: string; foreign: string }

/** One environment that a process plays: its address, its folder, its keys, the dialect it began in, and a fetch that trusts its certificate. */
export type World = { url: string; data: string; keys: Keys; dialect: DialectName; fetch: typeof fetch }

/** A real sandbox process for a test: what it plays, and how it ends. With `--environment both` it plays `production` as well. */
export type SandboxProcess = World & {
  production: World | undefined
  /** What `--data` named. */
  folder: string
  /** What it printed so far, line by line. */
  lines: string[]
  child: ChildProcess
  /** Ends it and gives the exit code, null when the signal killed it. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

/** Makes a sandbox end when the process of its test is gone, which was killed and could not stop it. */
const endWithParent = ['--import', new URL('../../scripts/end-with-parent.mjs', import.meta.url).href]

export const newDataFolder = (): string => mkdtempSync(join(tmpdir(), 'sbx-'))

/** Runs the program to its end; for starts that are refused. */
export async function runSandbox(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, [program, ...args])
  let out = ''
  let error = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, error }
}

/** A fetch that trusts a certificate the process made for itself. Node's own takes none, so it is undici's, which is what Node's is made of. */
function trusting(certificate: string): typeof fetch {
  const dispatcher = new Agent({ connect: { ca: readFileSync(certificate, 'utf8') } })
  const trusted = (address: string, init: Record<string, unknown> = {}) => undiciFetch(address, { ...init, dispatcher })
  return trusted as unknown as typeof fetch
}

function worldOf(url: string, environment: string, folder: string, dialect: DialectName): World {
  const data = environment === 'production' ? join(folder, 'production') : folder
  const kept = JSON.parse(readFileSync(join(data, 'api-keys.json'), 'utf8')) as Omit<Keys, 'foreign'> & Record<string, string>
  const foreign = kept[environment === 'production' ? 'sandbox' : 'production'] ?? ''
  return {
    url,
    data,
    keys: { ...kept, foreign },
    dialect,
    fetch: url.startsWith('https:') ? trusting(join(folder, 'tls-cert.pem')) : fetch,
  }
}

const environmentsOf = (args: string[]): string[] => {
  const overrides = args[args.indexOf('--environment') + 1] ?? ''
  if (!args.includes('--environment')) return ['sandbox']
  return overrides === 'both' ? ['sandbox', 'production'] : [overrides]
}

const dialectIn = (args: string[]): DialectName => dialectNames.find((name) => name === args[args.indexOf('--dialect') + 1]) ?? 'document'

/** Starts a process on a free port and waits for its ready lines. Rejects with what it printed when it ends before. */
export async function startProcess(folder: string, ...args: string[]): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [...endWithParent, program, '--port', '0', '--data', folder, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const environments = environmentsOf(args)
  const urls = await new Promise<Map<string, string>>((resolve, reject) => {
    const ready = new Map<string, string>()
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      const [, environment, url] = /^(sandbox|production) ready (https?:\S+)$/.exec(line) ?? []
      if (environment && url) ready.set(environment, url)
      if (ready.size === environments.length) resolve(ready)
    })
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}: ${lines.join(' | ')}`)))
  })
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }
  const [first = 'sandbox', second] = environments
  const world = (environment: string) => worldOf(urls.get(environment) ?? '', environment, folder, dialectIn(args))
  return { ...world(first), folder, production: second === undefined ? undefined : world(second), lines, child, stop }
}
