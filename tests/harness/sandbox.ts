import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endWithParentFlags } from './command'
import { dialect } from './dialect'
import { waitForExit, waitUntil } from './wait-until'

/** A fault for requests that contain `match`, such as an object id. Otherwise late requests of another test could consume it. */
export type Fault = Record<string, unknown> & { operation: string; match: string; kind: string }
export type JournalRow = {
  operation: string
  target_id: string
  idempotency_key: string
  request_body_sha256: string
  file_sha256: string | null
}
export type RequestRow = Record<string, unknown> & {
  seq: number
  method: string
  path: string
  status: number | null
  account_header: string | null
  idempotency_key: string | null
  request_id: string | null
  correlation_id: string | null
  body_sha256: string
  replayed: boolean
}
export type MadePayout = { id: string; account: string }

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

type SandboxOptions = { payments: number; production: boolean; webhooksTo: string }

async function startProcess(data: string, { payments, production, webhooksTo }: SandboxOptions) {
  // The sandbox itself chooses a free port, because another process could take a port that was found earlier.
  const args = ['sandbox/build/sandbox.mjs', '--port', '0', '--data', data, '--seed', '1', '--payments', `${payments}`]
  args.push('--control', '--dialect', dialect.name)
  if (webhooksTo) args.push('--webhook', webhooksTo)
  if (production) args.push('--environment', 'both', '--production-port', '0')
  const child = spawn(process.execPath, [...endWithParentFlags, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let outputText = ''
  let errorText = ''
  child.stdout.on('data', (part: Buffer) => {
    outputText += part.toString()
  })
  child.stderr.on('data', (part: Buffer) => {
    errorText += part.toString()
  })
  let isClosed = false
  child.once('close', () => {
    isClosed = true
  })
  const findPort = (environment: string) => Number(new RegExp(`^${environment} ready \\S+:(\\d+)$`, 'm').exec(outputText)?.[1] ?? 0)
  await waitUntil('the sandbox', () => {
    if (isClosed) throw new Error(`the sandbox ended with ${child.exitCode ?? child.signalCode}: ${errorText || outputText}`)
    return (production ? findPort('sandbox') && findPort('production') : findPort('sandbox')) || null
  })
  child.stderr.pipe(process.stderr)
  return { child, port: findPort('sandbox'), productionPort: findPort('production') }
}

/**
 * Starts the embedded sandbox with little data and its control API. With `production`, it also serves that environment. It sends webhook
 * events to `webhooksTo`.
 */
export async function startSandbox({ payments = 200, production = false, webhooksTo = '' } = {}) {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-sandbox-'))
  const { child, port, productionPort } = await startProcess(data, { payments, production, webhooksTo }).catch((error: unknown) => {
    fs.rmSync(data, { recursive: true, force: true })
    throw error
  })
  const url = `http://127.0.0.1:${port}`
  const readKeys = (folder: string) =>
    JSON.parse(fs.readFileSync(path.join(folder, 'api-keys.json'), 'utf8')) as { full: string; read_only: string }
  const keys = readKeys(data)

  async function control<T>(method: string, where: string, body?: unknown): Promise<T> {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${url}/sandbox${where}`, { method, ...init })
    if (!response.ok) throw new Error(`control ${where}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as T
  }

  return {
    url,
    keys,
    port,
    /** The secret that signs the webhook events. Empty without `webhooksTo`. */
    webhookSecret: webhooksTo && fs.readFileSync(path.join(data, 'webhook-secret'), 'utf8').trim(),
    /** The URL and keys of the production environment, or null without `production`. */
    production: production ? { url: `http://127.0.0.1:${productionPort}`, keys: readKeys(path.join(data, 'production')) } : null,
    configure: (accountId: string, switches: Record<string, boolean>) =>
      control('POST', '/configuration', { account_id: accountId, ...switches }),
    fault: (fault: Fault) => control<{ id: string }>('POST', '/faults', fault),
    clearFaults: () => control('DELETE', '/faults'),
    journal: async (target: string) => (await control<{ data: JournalRow[] }>('GET', `/journal?target=${target}`)).data,
    requests: async (since = 0) => (await control<{ data: RequestRow[] }>('GET', `/requests?since=${since}`)).data,
    lastSeq: async () => (await control<{ data: RequestRow[] }>('GET', '/requests')).data.at(-1)?.seq ?? 0,
    speak: (as: { name: 'document' | 'provider' | 'odd'; seed?: number }) => control('POST', '/dialect', as),
    rateLimit: (perSecond: number | null) => control('POST', '/rate-limit', { per_second: perSecond }),
    /** Creates a payout for one test, by default on hold. Returns its id and account. */
    makePayout: async (fields: Record<string, unknown> = {}): Promise<MadePayout> => {
      const accounts = await fetch(`${url}/v1/accounts`, { headers: { authorization: `Bearer ${keys.full}` } })
      const [first] = ((await accounts.json()) as { data: { id: string }[] }).data
      const account = String(fields.account_id ?? first?.id)
      const createdObject = await control<{ id?: string; data?: { id: string } }>('POST', '/objects/payouts', {
        account_id: account,
        announced: webhooksTo !== '',
        ...fields,
      })
      return { id: createdObject.data?.id ?? createdObject.id ?? '', account: `acct_${account}` }
    },
    /** Removes all objects, configuration and faults, and generates the initial data again. */
    renew: async () => {
      await control('POST', '/reset', {})
      await control('POST', '/rate-limit', { per_second: null })
      await control('POST', '/dialect', { name: dialect.name })
    },
    /** Kills the process without waiting for its end. For a caller that ends immediately afterwards. */
    abandon: () => {
      child.kill('SIGKILL')
      fs.rmSync(data, { recursive: true, force: true })
    },
    stop: async () => {
      child.kill('SIGTERM')
      await waitForExit(child)
      fs.rmSync(data, { recursive: true, force: true })
    },
  }
}
