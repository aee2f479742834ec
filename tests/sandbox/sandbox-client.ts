import { createDialect, type DialectName } from '@/sandbox/dialects/dialects'
import { type HttpExchange, ResponseValidator } from './answer-check'
import type { SandboxEnvironment } from './start-process'

/** A response with its body. `json` is an empty object if the body is not JSON. */
export type SandboxResponse = { status: number; headers: Headers; text: string; json: JsonBody }

/**
 * The parts of a JSON response that tests use. Their contents are untyped, because the OpenAPI
 * document already checks the shapes.
 */
export type JsonBody = Record<string, unknown> & {
  data?: unknown
  meta?: Record<string, unknown>
  error?: Record<string, unknown>
}

/** Options of a request. `key` is the API key: the full one by default, null for none. */
export type RequestOptions = {
  method?: string
  body?: string | Uint8Array<ArrayBuffer> | FormData
  headers?: Record<string, string>
  key?: string | null
}

export type MadePayout = {
  id: string
  account_id: string
  status: string
  amount: string
  paykey_details: { id: string }
}

// One validator per test file, dialect and kind of integration. All processes of a file run the same
// program, so the OpenAPI document of the first process is valid for all of that kind.
const validators = new Map<string, Promise<ResponseValidator>>()

async function loadResponseValidator({
  fetch,
  url,
}: SandboxEnvironment): Promise<ResponseValidator> {
  const response = await fetch(`${url}/openapi.json`)
  return new ResponseValidator(await response.json())
}

/**
 * A fault that the sandbox produces on request. It affects requests that contain the text `match`;
 * `*` matches all.
 */
export type PlannedFault = {
  operation: string
  match: string
  kind: string
  [more: string]: unknown
}

/**
 * Kinds of faults that change the response's content, so that the client must not validate the
 * response.
 */
const contentFaultKinds = ['status', 'truncate', 'redirect', 'body']

/**
 * Client of one environment. `ask` calls the service, `control` calls the control plane. Validates
 * every JSON response of the service against the OpenAPI document, except for operations whose
 * response a fault of this client changes.
 */
export class SandboxClient {
  readonly #process: SandboxEnvironment
  readonly #disturbed = new Set<string>()
  #dialect: DialectName

  constructor(environment: SandboxEnvironment) {
    this.#process = environment
    this.#dialect = environment.dialect
  }

  /** Returns the header that selects an account in the current dialect. */
  accountHeaders(id: string): Record<string, string> {
    const { name } = createDialect(this.#dialect, 0).account
    return { [name.toLowerCase()]: this.#dialect === 'provider' ? id : `acct_${id}` }
  }

  /** From now on, the sandbox responds in this dialect: a variant of the service's wire format. */
  async speak(name: DialectName): Promise<void> {
    await this.control('dialect', { name })
    this.#dialect = name
  }

  /**
   * Sends a request to the service. Rejects if the connection breaks, or if the OpenAPI document
   * does not describe the response.
   */
  async ask(
    path: string,
    { method = 'GET', body, headers = {}, key = this.#process.keys.full }: RequestOptions = {},
  ): Promise<SandboxResponse> {
    const validatorKey = `${this.#dialect} ${this.#process.integration}`
    const validatorPromise = validators.get(validatorKey) ?? loadResponseValidator(this.#process)
    validators.set(validatorKey, validatorPromise)
    const responseValidator = await validatorPromise
    const authorizationHeaders: Record<string, string> =
      key === null ? {} : { authorization: `Bearer ${key}` }
    const requestInit = { method, body, headers: { ...authorizationHeaders, ...headers } }
    const response = await this.#process.fetch(this.#process.url + path, {
      ...requestInit,
      redirect: 'manual',
    })
    const text = await response.text()
    const json = parseJson(text)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (isJson)
      this.#checkAnswer(responseValidator, {
        method,
        path: path.split('?')[0] ?? path,
        status: response.status,
        body: json,
      })
    return { status: response.status, headers: response.headers, text, json }
  }

  put(path: string, body: unknown, headers: Record<string, string> = {}): Promise<SandboxResponse> {
    return this.ask(path, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  }

  post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<SandboxResponse> {
    return this.ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  }

  patch(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<SandboxResponse> {
    return this.ask(path, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  }

  /**
   * Calls the control plane with a POST if there is a body, otherwise with a GET. Returns the JSON
   * body. Throws Error unless the status is 2xx.
   */
  async control<T = { data: Record<string, unknown>[] }>(path: string, body?: unknown): Promise<T> {
    const response = await this.controlRaw(path, body)
    if (!response.ok)
      throw new Error(`control ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  /** Like `control`, but returns the response, whatever its status. */
  controlRaw(path: string, body?: unknown): Promise<Response> {
    const controlRequestInit =
      body === undefined
        ? {}
        : {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }
    return this.#process.fetch(`${this.#process.url}/sandbox/${path}`, controlRequestInit)
  }

  payout(overrides: Record<string, unknown> = {}): Promise<MadePayout> {
    return this.control<MadePayout>('objects/payouts', overrides)
  }

  async fault(fault: PlannedFault): Promise<void> {
    if (contentFaultKinds.includes(fault.kind)) this.#disturbed.add(fault.operation)
    await this.control('faults', fault)
  }

  async effects(target: string): Promise<Record<string, unknown>[]> {
    return (await this.control(`journal?target=${target}`)).data
  }

  #checkAnswer(check: ResponseValidator, exchange: HttpExchange): void {
    const operationId = check.operation(exchange.method, exchange.path)
    if (this.#disturbed.has('*') || (operationId && this.#disturbed.has(operationId))) return
    check.check(exchange)
  }
}

function parseJson(text: string): JsonBody {
  try {
    return JSON.parse(text) as JsonBody
  } catch {
    return {}
  }
}

/** Returns a multipart body with one file. It is built by hand, so that tests know its bytes. */
export function buildMultipartBody(
  fileName: string,
  content: Buffer,
  part = 'File',
): { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> } {
  const boundary = 'test-boundary-7d3f'
  const partHeader = `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const multipartBytes = new Uint8Array(
    Buffer.concat([Buffer.from(partHeader), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  )
  return {
    body: multipartBytes,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
