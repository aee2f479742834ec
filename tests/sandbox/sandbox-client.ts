import { type DialectName, dialectOf } from '@/sandbox/dialects/dialects'
import { AnswerCheck, type Exchange } from './answer-check'
import type { World } from './start-process'

/** A fully read response; `json` is undefined if the body is not JSON. */
export type Answer = { status: number; headers: Headers; text: string; json: Wire }

/** Parts of a JSON response that tests use. Untyped below: tests check values, not shapes. */
export type Wire = Record<string, unknown> & { data?: unknown; meta?: Record<string, unknown>; error?: Record<string, unknown> }

/** Options of a request. `key` is the bearer key: by default the full one, null for none. */
export type Ask = {
  method?: string
  body?: string | Uint8Array<ArrayBuffer> | FormData
  headers?: Record<string, string>
  key?: string | null
}

export type MadePayout = { id: string; account_id: string; status: string; amount: string; paykey_details: { id: string } }

// One per test file and dialect: all its processes run the same program, so the first one's OpenAPI document is valid for all.
const checks = new Map<DialectName, Promise<AnswerCheck>>()

async function loadCheck({ fetch, url }: World): Promise<AnswerCheck> {
  const response = await fetch(`${url}/openapi.json`)
  return new AnswerCheck(await response.json())
}

/** A planned fault; `match` is a text in the affected requests, `*` for all requests. */
export type PlannedFault = { operation: string; match: string; kind: string; [more: string]: unknown }

/** Fault kinds that replace the service's response. */
const replacing = ['status', 'truncate', 'redirect', 'body']

/**
 * Client of one environment: the service with `ask`, the control plane with `control`. Validates every JSON response of the service against
 * the OpenAPI document, except for operations for which this client planned a replacing fault.
 */
export class SandboxClient {
  readonly #process: World
  readonly #disturbed = new Set<string>()
  #dialect: DialectName

  constructor(process: World) {
    this.#process = process
    this.#dialect = process.dialect
  }

  /** Returns the account header for one account in the current dialect. */
  accountHeaders(id: string): Record<string, string> {
    const { name } = dialectOf(this.#dialect, 0).account
    return { [name.toLowerCase()]: this.#dialect === 'provider' ? id : `acct_${id}` }
  }

  /** Switches the sandbox to another dialect. */
  async speak(name: DialectName): Promise<void> {
    await this.control('dialect', { name })
    this.#dialect = name
  }

  /**
   * Sends one request to the service. Rejects like fetch if the connection is cut, and if the OpenAPI document does not describe the
   * response.
   */
  async ask(path: string, { method = 'GET', body, headers = {}, key = this.#process.keys.full }: Ask = {}): Promise<Answer> {
    const checking = checks.get(this.#dialect) ?? loadCheck(this.#process)
    checks.set(this.#dialect, checking)
    const check = await checking
    const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
    const init = { method, body, headers: { ...authorization, ...headers } }
    const response = await this.#process.fetch(this.#process.url + path, { ...init, redirect: 'manual' })
    const text = await response.text()
    const json = parse(text)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (isJson) this.#checkAnswer(check, { method, path: path.split('?')[0] ?? path, status: response.status, body: json })
    return { status: response.status, headers: response.headers, text, json }
  }

  put(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  }

  patch(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, { method: 'PATCH', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  }

  /** Calls the control plane: a POST with a body, otherwise a GET. Returns the JSON; throws unless the status is 2xx. */
  async control<T = { data: Record<string, unknown>[] }>(path: string, body?: unknown): Promise<T> {
    const response = await this.controlRaw(path, body)
    if (!response.ok) throw new Error(`control ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  /** Like `control`, but returns a response of any status. */
  controlRaw(path: string, body?: unknown): Promise<Response> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    return this.#process.fetch(`${this.#process.url}/sandbox/${path}`, init)
  }

  payout(overrides: Record<string, unknown> = {}): Promise<MadePayout> {
    return this.control<MadePayout>('objects/payouts', overrides)
  }

  async fault(fault: PlannedFault): Promise<void> {
    if (replacing.includes(fault.kind)) this.#disturbed.add(fault.operation)
    await this.control('faults', fault)
  }

  async effects(target: string): Promise<Record<string, unknown>[]> {
    return (await this.control(`journal?target=${target}`)).data
  }

  #checkAnswer(check: AnswerCheck, exchange: Exchange): void {
    const operation = check.operation(exchange.method, exchange.path)
    if (this.#disturbed.has('*') || (operation && this.#disturbed.has(operation))) return
    check.check(exchange)
  }
}

function parse(text: string): Wire {
  try {
    return JSON.parse(text) as Wire
  } catch {
    return {}
  }
}

/** Returns a multipart body with one file, built by hand so that a test knows its bytes. */
export function multipart(
  name: string,
  content: Buffer,
  part = 'File',
): { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> } {
  const boundary = 'test-boundary-7d3f'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const body = new Uint8Array(Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]))
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}
