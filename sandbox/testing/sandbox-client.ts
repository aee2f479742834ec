import type { SandboxProcess } from './start-process'

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

/** A made payout as the control plane gives it. */
export type MadePayout = { id: string; account_id: string; status: string; amount: string; paykey_details: { id: string } }

/** Speaks to one process over HTTP: the service under `ask`, the control plane under `control`. */
export class SandboxClient {
  readonly #process: SandboxProcess

  constructor(process: SandboxProcess) {
    this.#process = process
  }

  /** One request to the service. Rejects as fetch does when the line is cut. */
  async ask(path: string, { method = 'GET', body, headers = {}, key = this.#process.keys.full }: Ask = {}): Promise<Answer> {
    const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
    const init = { method, body, headers: { ...authorization, ...headers } }
    const response = await fetch(this.#process.url + path, { ...init, redirect: 'manual' })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }

  /** A write with a JSON body. */
  put(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
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
    return fetch(`${this.#process.url}/sandbox/${path}`, init)
  }

  /** A payout of the test's own. */
  payout(wish: Record<string, unknown> = {}): Promise<MadePayout> {
    return this.control<MadePayout>('objects/payouts', wish)
  }

  /** Plans a fault. */
  async fault(fault: Record<string, unknown>): Promise<void> {
    await this.control('faults', fault)
  }

  /** The journal's rows of one target. */
  async effects(target: string): Promise<Record<string, unknown>[]> {
    return (await this.control(`journal?target=${target}`)).data
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
