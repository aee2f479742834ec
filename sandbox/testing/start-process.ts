import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'
import { build } from 'esbuild'

/** A real sandbox process for a test: its address, its keys, its data folder, and how it ends. */
export type SandboxProcess = {
  url: string
  data: string
  keys: { full: string; read_only: string; expired: string; production: string }
  /** What it printed so far, line by line. */
  lines: string[]
  child: ChildProcess
  /** Ends it and gives the exit code, null when the signal killed it. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
let bundled: Promise<string> | undefined

/**
 * Bundles the sandbox as the start command does, once for each test file; gives the path of the program. It lies inside the project, so
 * that the packages which stay outside of the bundle are found, and is put in place by a rename, because test files run side by side.
 */
export function bundleSandbox(): Promise<string> {
  bundled ??= (async () => {
    const outfile = join(root, 'build', 'sandbox-for-tests.mjs')
    const own = `${outfile}.${process.pid}.${threadId}`
    await build({
      absWorkingDir: root,
      entryPoints: ['sandbox/main.ts'],
      ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
      outfile: own,
    })
    renameSync(own, outfile)
    return outfile
  })()
  return bundled
}

/** A new temporary data folder. */
export const newDataFolder = (): string => mkdtempSync(join(tmpdir(), 'sbx-'))

/** Runs the program to its end; for starts that are refused. */
export async function runSandbox(...args: string[]): Promise<{ code: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, [await bundleSandbox(), ...args])
  let out = ''
  let error = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, error }
}

/** Starts a process on a free port and waits for its ready line. Rejects with what it printed when it ends before. */
export async function startProcess(data: string, ...args: string[]): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [await bundleSandbox(), '--port', '0', '--data', data, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      const address = /^sandbox ready (http:\S+)$/.exec(line)?.[1]
      if (address) resolve(address)
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
  const keys = JSON.parse(readFileSync(new URL('api-keys.json', `${pathToFileURL(data)}/`), 'utf8')) as SandboxProcess['keys']
  return { url, data, keys, lines, child, stop }
}
