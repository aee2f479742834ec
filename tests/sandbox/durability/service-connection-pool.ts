import { Pool } from 'undici'
import type { JournalRow } from '@/sandbox/http/journal'
import type { SandboxEnvironment } from '@/tests/sandbox/start-process'
import type { WriteRequest, WriteResponse } from './write'

/** A stored event, as the control plane returns it. */
export type ListedEvent = {
  seq: number
  id: string
  type: string
  object_id: string
  at: string
  payload: { data: Record<string, unknown> }
}

type JsonResponse = {
  status: number
  json: Record<string, unknown> & { data: unknown; meta: Record<string, unknown> }
}

const eventsPageSize = 1_000

/**
 * Pooled connections to a process that may be killed. A broken connection is an expected result of
 * a write.
 */
export class ServiceConnectionPool {
  readonly #pool: Pool
  readonly #key: string

  constructor({ url, keys }: SandboxEnvironment) {
    this.#pool = new Pool(url, { connections: 16 })
    this.#key = keys.full
  }

  /**
   * Sends a write. Returns undefined if the connection breaks before the whole response arrived.
   */
  async send({
    key,
    method,
    path,
    account,
    contentType,
    body,
  }: WriteRequest): Promise<WriteResponse | undefined> {
    const headers = {
      ...{ authorization: `Bearer ${this.#key}`, 'idempotency-key': key },
      ...{ 'service-account-id': `acct_${account}`, 'content-type': contentType },
    }
    try {
      const response = await this.#pool.request({ method, path, headers, body })
      const text = await response.body.text()
      return {
        status: response.statusCode,
        text,
        replayed: response.headers['idempotent-replayed'] === 'true',
      }
    } catch {
      return undefined
    }
  }

  /** Reads an object of the service. Rejects if the connection breaks. */
  async get(path: string): Promise<JsonResponse> {
    const response = await this.#pool.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${this.#key}` },
    })
    return {
      status: response.statusCode,
      json: (await response.body.json()) as JsonResponse['json'],
    }
  }

  /**
   * Calls the control plane with a POST if there is a body, otherwise with a GET. Throws Error
   * unless the status is 2xx.
   */
  async control<T>(path: string, body?: unknown): Promise<T> {
    const methodAndBody =
      body === undefined
        ? { method: 'GET' as const }
        : { method: 'POST' as const, body: JSON.stringify(body) }
    const response = await this.#pool.request({
      path: `/sandbox/${path}`,
      headers: { 'content-type': 'application/json' },
      ...methodAndBody,
    })
    const text = await response.body.text()
    if (response.statusCode >= 300)
      throw new Error(`control ${path}: ${response.statusCode} ${text}`)
    return JSON.parse(text) as T
  }

  async journal(since: number): Promise<JournalRow[]> {
    return (await this.control<{ data: JournalRow[] }>(`journal?since=${since}`)).data
  }

  async events(since: number): Promise<ListedEvent[]> {
    const events: ListedEvent[] = []
    let eventPage: ListedEvent[]
    do {
      eventPage = (
        await this.control<{ data: ListedEvent[] }>(
          `events?limit=${eventsPageSize}&since=${events.at(-1)?.seq ?? since}`,
        )
      ).data
      events.push(...eventPage)
    } while (eventPage.length === eventsPageSize)
    return events
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
