import { type DialectName, dialectOf } from '@/sandbox/dialects/dialects'
import { AnswerCheck, type Exchange } from './answer-check'
import type { World } from './start-process'

/** An answer, read to its end; `json` is undefined when the body is not JSON. */
export type Answer = { status: number; headers: Headers; text: string; json: Wire }

/** A JSON answer's parts that tests look at, untyped below: tests check values, not shapes. */
export type Wire = Record<string, unknown> & { data?: unknown; meta?: Record<string, unknown>; error?: Record<string, unknown> }

/** What a test may set on a request. `key` is the bearer key, the full one by default, null for none. */
export type Ask = {
  method?: string
  body?: string | Uint8Array<ArrayBuffer> | FormData
  headers?: Record<string, string>
  key?: string | null
}

export type MadePayout = { id: string; account_id: string; status: string; amount: string; paykey_details: { id: string } }

// For each test file: every process it starts is the same program, so the first one's document of a dialect serves for all.
const checks = new Map<DialectName, Promise<AnswerCheck>>()

async function loadCheck({ fetch, url }: World): Promise<AnswerCheck> {
  const response = await fetch(`${url}/openapi.json`)
  return new AnswerCheck(await response.json())
}

/** What every planned fault says; `match` is a text that the requests it is for carry, `*` for any request. */
export type PlannedFault = { operation: string; match: string; kind: string; [more: string]: unknown }

/** Faults that put another answer in the place of the service's own. */
const replacing = ['status', 'truncate', 'redirect', 'body']

/**
 * Speaks to one environment over HTTP: the service under `ask`, the control plane under `control`. Every JSON answer of the service is held
 * against the OpenAPI document, save for operations for which this client planned a fault that makes up answers.
 */
export class SandboxClient {
  readonly #process: World
  readonly #disturbed = new Set<string>()
  #dialect: DialectName

  constructor(process: World) {
    this.#process = process
    this.#dialect = process.dialect
  }

  /** The account header for one account, as the dialect that is spoken has it. */
  accountHeaders(id: string): Record<string, string> {
    const { name } = dialectOf(this.#dialect, 0).account
    return { [name.toLowerCase()]: this.#dialect === 'provider' ? id : `acct_${id}` }
  }

  /** Lets the sandbox speak another dialect from now on. */
  async speak(name: DialectName): Promise<void> {
    await this.control('dialect', { name })
    this.#dialect = name
  }

  /** One request to the service. Rejects as fetch does when the line is cut, and for an answer that the OpenAPI document does not describe. */
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

  /** A write with a JSON body. */
  put(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  }

  /** The same as a POST. */
  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  }

  /** The same as a PATCH. */
  patch(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, { method: 'PATCH', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  }

  /** A call of the control plane: a POST when there is a body, a GET otherwise. Gives the JSON; throws when it is not 2xx. */
  async control<T = { data: Record<string, unknown>[] }>(path: string, body?: unknown): Promise<T> {
    const response = await this.controlRaw(path, body)
    if (!response.ok) throw new Error(`control ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  /** The same, whatever the status. */
  controlRaw(path: string, body?: unknown): Promise<Response> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    return this.#process.fetch(`${this.#process.url}/sandbox/${path}`, init)
  }

  /** A payout of the test's own. */
  payout(overrides: Record<string, unknown> = {}): Promise<MadePayout> {
    return this.control<MadePayout>('objects/payouts', overrides)
  }

  /** Plans a fault. */
  async fault(fault: PlannedFault): Promise<void> {
    if (replacing.includes(fault.kind)) this.#disturbed.add(fault.operation)
    await this.control('faults', fault)
  }

  /** The journal's rows of one target. */
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

/** A multipart body around one file, built by hand so that a test knows its bytes. */
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
