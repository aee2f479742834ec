import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand } from './command'
import { type Sandbox, startSandbox } from './sandbox'
import { type ProxiedResponse, startServiceProxy } from './service-proxy'

export type DoctorRunner = Awaited<ReturnType<typeof startDoctorRunner>>

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Returns a response with an HTML page, as a web server that is no payments service sends it. */
export const htmlResponse = (status: number, headers: Record<string, string> = {}): ProxiedResponse => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  text: '<!doctype html><title>Welcome</title>',
})
export const jsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}): ProxiedResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: body === null ? '' : JSON.stringify(body),
})

/** Returns the line of a report with this label and its line of advice, with single spaces. */
function findReportLine(text: string, label: string): string {
  const lines = text.split('\n')
  const lineIndex = lines.findIndex((line) => line.trimStart().startsWith(`${label} `))
  const advice = lines[lineIndex + 1]?.trimStart().startsWith('→') ? ` ${lines[lineIndex + 1]}` : ''
  return `${lines[lineIndex]}${advice}`.replace(/\s+/g, ' ').trim()
}

/**
 * Returns functions that run the doctor (`npm run doctor`) against a sandbox, or a proxy in front of it. `tidy` stops the proxies of a
 * test, `stop` everything.
 */
export async function startDoctorRunner(sandbox: Sandbox) {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  const stopCallbacks: (() => Promise<void>)[] = []
  const dataDir = join(folder, 'data')
  const tidy = async () => {
    for (const stop of stopCallbacks.splice(0)) await stop()
  }
  const run = (env: Record<string, string>, args: string[] = []) => runCommand('doctor', args, { DATA_DIR: dataDir, ...env })

  return {
    sandbox,
    /** The data folder. The doctor must not create it. */
    dataDir,
    later: (stop: () => Promise<void>) => void stopCallbacks.push(stop),
    run,
    /** Runs the doctor against a service. Checks that its output contains no key, id, email address or stack. */
    examine: async (url: string, env: Record<string, string> = {}) => {
      const key = env.SERVICE_SANDBOX_API_KEY ?? sandbox.keys.full
      const { code, text } = await run({ SERVICE_SANDBOX_URL: url, SERVICE_SANDBOX_API_KEY: key, ...env })
      for (const keyPart of [key, key.slice(-20), ...key.split('.')]) expect(text).not.toContain(keyPart)
      expect(text).not.toMatch(uuidPattern)
      expect(text).not.toMatch(/@|\n\s+at |Error:/)
      return { code, text, line: (label: string) => findReportLine(text, label) }
    },
    /** Starts a proxy in front of the sandbox that changes requests or responses. */
    between: async (twist: Parameters<typeof startServiceProxy>[1]) => {
      const service = await startServiceProxy(sandbox.url, twist)
      stopCallbacks.push(service.stop)
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

export const startOwnDoctorRunner = async (): Promise<DoctorRunner> => startDoctorRunner(await startSandbox())
