import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Agent, fetch as undiciFetch } from 'undici'
import { type DialectName, dialectNames } from '@/sandbox/dialects/dialects'
import { type Integration, integrations } from '@/sandbox/integration'
import { bundledSandboxPath } from './bundle-once'

/** API keys of one environment. `foreign` is a key of the other environment. */
type ApiKeys = { full: string; read_only: string; expired: string; foreign: string }

/**
 * One environment of a process: URL, data folder, keys, first dialect, kind of integration, and a
 * fetch that trusts its certificate.
 */
export type SandboxEnvironment = {
  url: string
  data: string
  keys: ApiKeys
  dialect: DialectName
  integration: Integration
  fetch: typeof fetch
}

/**
 * A sandbox process for a test. With `--environment both`, `production` is its second environment.
 */
export type SandboxProcess = SandboxEnvironment & {
  production: SandboxEnvironment | undefined
  /** The data folder (`--data`). */
  folder: string
  /** Lines that the process has printed. */
  lines: string[]
  child: ChildProcess
  /** Stops the process and returns its exit code; null if a signal killed it. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

/** Flags that end the sandbox when its test process ends, even if that was killed. */
const parentExitFlags = [
  '--import',
  new URL('../../scripts/end-with-parent.mjs', import.meta.url).href,
]

export const createDataFolder = (): string => mkdtempSync(join(tmpdir(), 'sbx-'))

/** Runs the program until it exits and returns its output. For starts that must fail. */
export async function runSandbox(
  ...args: string[]
): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, [bundledSandboxPath, ...args])
  let outputText = ''
  let errorText = ''
  child.stdout.on('data', (chunk: Buffer) => (outputText += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errorText += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: outputText, error: errorText }
}

/**
 * Returns a fetch that trusts a self-signed certificate. It uses undici directly, because Node's
 * own fetch has no option for a certificate.
 */
function createTrustingFetch(certificatePath: string): typeof fetch {
  const dispatcher = new Agent({ connect: { ca: readFileSync(certificatePath, 'utf8') } })
  const fetchTrusted = (address: string, init: Record<string, unknown> = {}) =>
    undiciFetch(address, { ...init, dispatcher })
  return fetchTrusted as unknown as typeof fetch
}

function readEnvironment(
  url: string,
  environment: string,
  folder: string,
  args: string[],
): SandboxEnvironment {
  const dataFolder = environment === 'production' ? join(folder, 'production') : folder
  const storedKeys = JSON.parse(readFileSync(join(dataFolder, 'api-keys.json'), 'utf8')) as Omit<
    ApiKeys,
    'foreign'
  > &
    Record<string, string>
  const foreignApiKey = storedKeys[environment === 'production' ? 'sandbox' : 'production'] ?? ''
  return {
    url,
    data: dataFolder,
    keys: { ...storedKeys, foreign: foreignApiKey },
    dialect: parseDialect(args),
    integration: parseIntegration(args),
    fetch: url.startsWith('https:') ? createTrustingFetch(join(folder, 'tls-cert.pem')) : fetch,
  }
}

const parseEnvironments = (args: string[]): string[] => {
  const environmentName = args[args.indexOf('--environment') + 1] ?? ''
  if (!args.includes('--environment')) return ['sandbox']
  return environmentName === 'both' ? ['sandbox', 'production'] : [environmentName]
}

const parseDialect = (args: string[]): DialectName =>
  dialectNames.find((name) => name === args[args.indexOf('--dialect') + 1]) ?? 'document'

const parseIntegration = (args: string[]): Integration =>
  integrations.find((name) => name === args[args.indexOf('--integration') + 1]) ?? 'saas'

/**
 * Starts a process on a free port and waits until all its environments are ready. Rejects with its
 * output if it exits first.
 */
export async function startProcess(folder: string, ...args: string[]): Promise<SandboxProcess> {
  const child = spawn(
    process.execPath,
    [...parentExitFlags, bundledSandboxPath, '--port', '0', '--data', folder, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const outputLines: string[] = []
  const environments = parseEnvironments(args)
  const urlsByEnvironment = await new Promise<Map<string, string>>((resolve, reject) => {
    const readyUrls = new Map<string, string>()
    createInterface({ input: child.stderr }).on('line', (line) => outputLines.push(line))
    createInterface({ input: child.stdout }).on('line', (line) => {
      outputLines.push(line)
      const [, environment, url] = /^(sandbox|production) ready (https?:\S+)$/.exec(line) ?? []
      if (environment && url) readyUrls.set(environment, url)
      if (readyUrls.size === environments.length) resolve(readyUrls)
    })
    child.once('exit', (code) =>
      reject(new Error(`the sandbox ended with ${code}: ${outputLines.join(' | ')}`)),
    )
  })
  const stopProcess = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exitPromise = once(child, 'exit')
    child.kill(signal)
    const [code] = (await exitPromise) as [number | null]
    return code
  }
  const [firstEnvironment = 'sandbox', secondEnvironment] = environments
  const readProcessEnvironment = (environment: string) =>
    readEnvironment(urlsByEnvironment.get(environment) ?? '', environment, folder, args)
  return {
    ...readProcessEnvironment(firstEnvironment),
    folder,
    production:
      secondEnvironment === undefined ? undefined : readProcessEnvironment(secondEnvironment),
    lines: outputLines,
    child,
    stop: stopProcess,
  }
}
