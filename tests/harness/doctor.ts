import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type PassedBack, startBetween } from './between'
import { runCommand } from './command'
import { type Sandbox, startSandbox } from './sandbox'

export type Practice = Awaited<ReturnType<typeof startPractice>>

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** An answer made up by a test: a page for people, or JSON (nothing at all where it is null). */
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

/** A line of a report by its label, with its advice, in single spaces. */
function lineOf(text: string, label: string): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.trimStart().startsWith(`${label} `))
  const advice = lines[at + 1]?.trimStart().startsWith('→') ? ` ${lines[at + 1]}` : ''
  return `${lines[at]}${advice}`.replace(/\s+/g, ' ').trim()
}

/** The doctor, with a sandbox to examine and what is between the two; `stop` ends all of them, `tidy` what a test put between. */
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
    /** Where the data would be, if the doctor made any. */
    dataDir,
    later: (stop: () => Promise<void>) => void stops.push(stop),
    run,
    /** Runs it against a service; whatever the outcome, its output holds no key, no id, no person and no stack. */
    examine: async (url: string, env: Record<string, string> = {}) => {
      const key = env.SERVICE_SANDBOX_API_KEY ?? sandbox.keys.full
      const { code, text } = await run({ SERVICE_SANDBOX_URL: url, SERVICE_SANDBOX_API_KEY: key, ...env })
      for (const part of [key, key.slice(-20), ...key.split('.')]) expect(text).not.toContain(part)
      expect(text).not.toMatch(uuid)
      expect(text).not.toMatch(/@|\n\s+at |Error:/)
      return { code, text, line: (label: string) => lineOf(text, label) }
    },
    /** The sandbox, otherwise in one thing. */
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

/** The same with a sandbox of its own. */
export const startOwnPractice = async (): Promise<Practice> => startPractice(await startSandbox())
