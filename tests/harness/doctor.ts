import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type PassedBack, startBetween } from './between'
import { runCommand } from './command'
import { type Sandbox, startSandbox } from './sandbox'

export type Practice = Awaited<ReturnType<typeof startPractice>>

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** A response made up by a test: an HTML page, or JSON (an empty body for null). */
export const page = (status: number, headers: Record<string, string> = {}): PassedBack => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  text: '<!doctype html><title>Welcome</title>',
})
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): PassedBack => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: body === null ? '' : JSON.stringify(body),
})

/** Returns the line of a report with this label, including its advice, with single spaces. */
function lineOf(text: string, label: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.trimStart().startsWith(`${label} `))
  const advice = lines[at + 1]?.trimStart().startsWith('→') ? ` ${lines[at + 1]}` : ''
  return `${lines[at]}${advice}`.replace(/\s+/g, ' ').trim()
}

/** The doctor with a sandbox and proxies between them. `stop` stops everything; `tidy` stops a test's proxies. */
export async function startPractice(sandbox: Sandbox) {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  const stops: (() => Promise<void>)[] = []
  const dataDir = join(folder, 'data')
  const tidy = async () => {
    for (const stop of stops.splice(0)) await stop()
  }
  const run = (env: Record<string, string>, args: string[] = []) => runCommand('doctor', args, { DATA_DIR: dataDir, ...env })

  return {
    sandbox,
    /** The data folder, which the doctor must not create. */
    dataDir,
    later: (stop: () => Promise<void>) => void stops.push(stop),
    run,
    /** Runs the doctor against a service. Checks that its output contains no key, no id, no person and no stack. */
    examine: async (url: string, env: Record<string, string> = {}) => {
      const key = env.SERVICE_SANDBOX_API_KEY ?? sandbox.keys.full
      const { code, text } = await run({ SERVICE_SANDBOX_URL: url, SERVICE_SANDBOX_API_KEY: key, ...env })
      for (const keyPart of [key, key.slice(-20), ...key.split('.')]) expect(text).not.toContain(keyPart)
      expect(text).not.toMatch(uuid)
      expect(text).not.toMatch(/@|\n\s+at |Error:/)
      return { code, text, line: (label: string) => lineOf(text, label) }
    },
    /** Puts a proxy in front of the sandbox that changes one thing. */
    between: async (twist: Parameters<typeof startBetween>[1]) => {
      const service = await startBetween(sandbox.url, twist)
      stops.push(service.stop)
      return service
    },
    tidy,
    stop: async () => {
      await tidy()
      await sandbox.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const startOwnPractice = async (): Promise<Practice> => startPractice(await startSandbox())
