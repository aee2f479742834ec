import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Integration } from '@/lib/operations/integration'
import { endWithParentFlags } from './command'
import { dialect } from './dialect'
import { waitForExit, waitUntil } from './wait-until'

/**
 * A failure that the sandbox produces on purpose, for requests that contain the text `match`, such
 * as an object id. Without `match`, late requests of another test could use up the fault.
 */
export type PlannedFault = Record<string, unknown> & {
  operation: string
  match: string
  kind: string
}
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

type SandboxOptions = {
  payments: number
  production: boolean
  webhooksTo: string
  integration: Integration
}

async function startSandboxProcess(
  dataFolder: string,
  { payments, production, webhooksTo, integration }: SandboxOptions,
) {
  // With port 0 the sandbox chooses a free port itself. If this code chose one, another process
  // could take it first.
  const sandboxArgs = [
    'sandbox/build/sandbox.mjs',
    '--port',
    '0',
    '--data',
    dataFolder,
    '--seed',
    '1',
    '--payments',
    `${payments}`,
  ]
  sandboxArgs.push('--control', '--dialect', dialect.name, '--integration', integration)
  if (webhooksTo) sandboxArgs.push('--webhook', webhooksTo)
  if (production) sandboxArgs.push('--environment', 'both', '--production-port', '0')
  const sandboxProcess = spawn(process.execPath, [...endWithParentFlags, ...sandboxArgs], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let outputText = ''
  let errorText = ''
  sandboxProcess.stdout.on('data', (part: Buffer) => {
    outputText += part.toString()
  })
  sandboxProcess.stderr.on('data', (part: Buffer) => {
    errorText += part.toString()
  })
  let isClosed = false
  sandboxProcess.once('close', () => {
    isClosed = true
  })
  const findPort = (environment: string) =>
    Number(new RegExp(`^${environment} ready \\S+:(\\d+)$`, 'm').exec(outputText)?.[1] ?? 0)
  await waitUntil('the sandbox', () => {
    if (isClosed)
      throw new Error(
        `the sandbox ended with ${sandboxProcess.exitCode ?? sandboxProcess.signalCode}: ${errorText || outputText}`,
      )
    return (
      (production ? findPort('sandbox') && findPort('production') : findPort('sandbox')) || null
    )
  })
  sandboxProcess.stderr.pipe(process.stderr)
  return {
    child: sandboxProcess,
    port: findPort('sandbox'),
    productionPort: findPort('production'),
  }
}

const readApiKeys = (folder: string) =>
  JSON.parse(fs.readFileSync(path.join(folder, 'api-keys.json'), 'utf8')) as {
    full: string
    read_only: string
  }

type SendControlRequest = <T>(method: string, controlPath: string, body?: unknown) => Promise<T>

/** Returns a function that sends requests to the control API of the sandbox at `url`. */
const createControlSender =
  (url: string): SendControlRequest =>
  async <T>(method: string, controlPath: string, body?: unknown): Promise<T> => {
    const requestInit =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${url}/sandbox${controlPath}`, { method, ...requestInit })
    if (!response.ok)
      throw new Error(`control ${controlPath}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as T
  }

const createControlCalls = (sendControlRequest: SendControlRequest) => ({
  configure: (accountId: string, switches: Record<string, boolean>) =>
    sendControlRequest('POST', '/configuration', { account_id: accountId, ...switches }),
  fault: (fault: PlannedFault) => sendControlRequest<{ id: string }>('POST', '/faults', fault),
  clearFaults: () => sendControlRequest('DELETE', '/faults'),
  journal: async (target: string) =>
    (await sendControlRequest<{ data: JournalRow[] }>('GET', `/journal?target=${target}`)).data,
  requests: async (since = 0) =>
    (await sendControlRequest<{ data: RequestRow[] }>('GET', `/requests?since=${since}`)).data,
  lastSeq: async () =>
    (await sendControlRequest<{ data: RequestRow[] }>('GET', '/requests')).data.at(-1)?.seq ?? 0,
  speak: (sandboxDialect: { name: 'document' | 'provider' | 'odd'; seed?: number }) =>
    sendControlRequest('POST', '/dialect', sandboxDialect),
  rateLimit: (perSecond: number | null) =>
    sendControlRequest('POST', '/rate-limit', { per_second: perSecond }),
  /**
   * Resets the sandbox: generates the initial data again, and removes all other objects, settings
   * and faults.
   */
  renew: async () => {
    await sendControlRequest('POST', '/reset', {})
    await sendControlRequest('POST', '/rate-limit', { per_second: null })
    await sendControlRequest('POST', '/dialect', { name: dialect.name })
  },
})

async function findFirstAccountId(url: string, apiKey: string): Promise<string | undefined> {
  const response = await fetch(`${url}/v1/accounts`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const [first] = ((await response.json()) as { data: { id: string }[] }).data
  return first?.id
}

/**
 * Starts the embedded sandbox with little data and its control API. With `production`, the process
 * also serves the production environment. `webhooksTo` is the URL to which it sends webhook events.
 */
export async function startSandbox({
  payments = 200,
  production = false,
  webhooksTo = '',
  integration = 'saas',
}: Partial<SandboxOptions> = {}) {
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'paydesk-sandbox-'))
  const { child, port, productionPort } = await startSandboxProcess(dataFolder, {
    payments,
    production,
    webhooksTo,
    integration,
  }).catch((error: unknown) => {
    fs.rmSync(dataFolder, { recursive: true, force: true })
    throw error
  })
  const url = `http://127.0.0.1:${port}`
  const apiKeys = readApiKeys(dataFolder)
  const sendControlRequest = createControlSender(url)

  return {
    url,
    keys: apiKeys,
    port,
    integration,
    /**
     * The secret with which the sandbox signs webhook events. Empty if there is no `webhooksTo`.
     */
    webhookSecret:
      webhooksTo && fs.readFileSync(path.join(dataFolder, 'webhook-secret'), 'utf8').trim(),
    /** The URL and API keys of the production environment. Null without `production`. */
    production: production
      ? {
          url: `http://127.0.0.1:${productionPort}`,
          keys: readApiKeys(path.join(dataFolder, 'production')),
        }
      : null,
    ...createControlCalls(sendControlRequest),
    /** Creates a payout for one test, by default on hold. Returns its id and account. */
    makePayout: async (fields: Record<string, unknown> = {}): Promise<MadePayout> => {
      const firstAccountId = await findFirstAccountId(url, apiKeys.full)
      const payoutAccountId = String(fields.account_id ?? firstAccountId)
      const createdObject = await sendControlRequest<{ id?: string; data?: { id: string } }>(
        'POST',
        '/objects/payouts',
        { account_id: payoutAccountId, announced: webhooksTo !== '', ...fields },
      )
      return {
        id: createdObject.data?.id ?? createdObject.id ?? '',
        account: `acct_${payoutAccountId}`,
      }
    },
    /**
     * Kills the process without waiting for its end. For a caller that ends immediately afterwards.
     */
    abandon: () => {
      child.kill('SIGKILL')
      fs.rmSync(dataFolder, { recursive: true, force: true })
    },
    stop: async () => {
      child.kill('SIGTERM')
      await waitForExit(child)
      fs.rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
