import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Integration } from '@/lib/operations/integration'
import { runCommand } from './command'
import { type Sandbox, startSandbox } from './sandbox'
import { type ProxiedResponse, startServiceProxy } from './service-proxy'

export type DoctorRunner = Awaited<ReturnType<typeof startDoctorRunner>>

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Returns a response with an HTML page, as from a web server that is not a payments service. */
export const htmlResponse = (
  status: number,
  headers: Record<string, string> = {},
): ProxiedResponse => ({
  status,
  headers: { 'content-type': 'text/html', ...headers },
  text: '<!doctype html><title>Welcome</title>',
})
export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ProxiedResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: body === null ? '' : JSON.stringify(body),
})

/**
 * Returns the line of the report that begins with this label, and its line of advice (`→ …`) if
 * there is one. Reduces white space to single spaces.
 */
function findReportLine(reportText: string, label: string): string {
  const reportLines = reportText.split('\n')
  const lineIndex = reportLines.findIndex((line) => line.trimStart().startsWith(`${label} `))
  const advice = reportLines[lineIndex + 1]?.trimStart().startsWith('→')
    ? ` ${reportLines[lineIndex + 1]}`
    : ''
  return `${reportLines[lineIndex]}${advice}`.replace(/\s+/g, ' ').trim()
}

/**
 * Returns functions that run the command `npm run doctor`, which checks the settings of a payments
 * service. The service is the sandbox, or a proxy in front of it. `tidy` stops the proxies of a
 * test, and `stop` stops everything.
 */
export async function startDoctorRunner(sandbox: Sandbox) {
  const tempFolder = mkdtempSync(join(tmpdir(), 'doctor-'))
  const stopCallbacks: (() => Promise<void>)[] = []
  const dataDir = join(tempFolder, 'data')
  const stopProxies = async () => {
    for (const stop of stopCallbacks.splice(0)) await stop()
  }
  const runDoctor = (env: Record<string, string>, args: string[] = []) =>
    runCommand('doctor', args, { DATA_DIR: dataDir, ...env })

  return {
    sandbox,
    /** The data folder. The doctor must not create it. */
    dataDir,
    later: (stop: () => Promise<void>) => void stopCallbacks.push(stop),
    run: runDoctor,
    /**
     * Runs the command against the service at `url`. Checks that the output contains no key, id,
     * email address or stack trace.
     */
    examine: async (url: string, env: Record<string, string> = {}) => {
      const apiKey = env.SERVICE_SANDBOX_API_KEY ?? sandbox.keys.full
      const { code, text } = await runDoctor({
        SERVICE_SANDBOX_URL: url,
        SERVICE_SANDBOX_API_KEY: apiKey,
        ...env,
      })
      for (const keyPart of [apiKey, apiKey.slice(-20), ...apiKey.split('.')])
        expect(text).not.toContain(keyPart)
      expect(text).not.toMatch(uuidPattern)
      expect(text).not.toMatch(/@|\n\s+at |Error:/)
      return { code, text, line: (label: string) => findReportLine(text, label) }
    },
    /** Starts a proxy in front of the sandbox that changes requests or responses. */
    between: async (hooks: Parameters<typeof startServiceProxy>[1]) => {
      const serviceProxy = await startServiceProxy(sandbox.url, hooks)
      stopCallbacks.push(serviceProxy.stop)
      return serviceProxy
    },
    tidy: stopProxies,
    stop: async () => {
      await stopProxies()
      await sandbox.stop()
      rmSync(tempFolder, { recursive: true, force: true })
    },
  }
}

/** `integration`: the kind that the sandbox imitates. */
export const startOwnDoctorRunner = async (
  integration: Integration = 'saas',
): Promise<DoctorRunner> => startDoctorRunner(await startSandbox({ integration }))
