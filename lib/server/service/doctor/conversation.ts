import 'server-only'
import { Pool } from 'undici'
import type { Environment } from '@/lib/operations/define'
import { toRequest } from '@/lib/operations/http'
import { schemasOf } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'
import { env } from '@/lib/server/config/env'
import { jsonOf, pageIn } from '@/lib/server/service/answer'
import { exchange } from '@/lib/server/service/exchange'
import { type Fault, faultOf, neverSent } from '@/lib/server/service/faults'
import { readTolerantly } from '@/lib/server/service/read-tolerantly'
import { inWords, newRequestId, retryAfterIn, saidAlways } from '@/lib/server/service/request'

/** One read to try. `path` begins with `/v1`. `account` is the account header to try, which may differ from the configured one. */
export type Question = { path: string; query?: string; account?: { header: string; value: string } }

export type Answered = { kind: 'answer'; status: number; headers: Record<string, string>; text: string }

/** Result of a request, the time it was sent (milliseconds since 1970) and its duration (milliseconds). */
export type Reply = (Answered | { kind: 'fault'; fault: Fault; seconds?: number }) & { sentAt: number; tookMs: number }

/** Sends one request to the service. Returns failures of the service or the network as a fault. */
export type Ask = (question: Question) => Promise<Reply>

/** Timeouts in milliseconds, those of every read: connect, headers, silence in a body, and the whole. */
const deadlines = { connect: 3000, headers: 10_000, body: 5000, whole: 15_000 }

/** Returns why the rate limit refuses a request; null if it may be sent. */
type Leave = () => Promise<{ fault: Fault; seconds: number } | null>

/**
 * Opens a connection to the service of a configured environment, to try settings. It sends only GET, with our key, over its own
 * connections. Each request first calls `leave`. The caller must close it.
 */
export function openLine(
  environment: Environment,
  leave: Leave = async () => null,
  signal?: AbortSignal,
): { ask: Ask; close: () => Promise<void> } {
  const service = env().services[environment]
  if (!service) throw new Error(`the ${environment} environment is not configured`)
  const { origin, pathname } = new URL(service.url)
  const pool = new Pool(origin, { connections: 1, connect: { timeout: deadlines.connect } })

  async function transmit({ path, query, account }: Question): Promise<Answered | { kind: 'fault'; fault: Fault }> {
    const headers = {
      authorization: `Bearer ${service?.apiKey}`,
      ...saidAlways,
      'request-id': newRequestId(),
      ...(account ? { [account.header.toLowerCase()]: account.value } : {}),
    }
    const request = {
      method: 'GET' as const,
      path: `${pathname.replace(/\/$/, '')}${path}${query ? `?${query}` : ''}`,
      headers,
      // Use a new connection for each request: a kept one may be dead, which would prove nothing about the service.
      reset: true,
      headersTimeout: deadlines.headers,
      bodyTimeout: deadlines.body,
    }
    try {
      return { kind: 'answer', ...(await exchange(pool, request, deadlines.whole, signal)) }
    } catch (error) {
      return { kind: 'fault', fault: faultOf(error) }
    }
  }

  async function ask(question: Question): Promise<Reply> {
    const refused = await leave()
    const [sentAt, begin] = [Date.now(), performance.now()]
    if (refused) return { kind: 'fault', ...refused, sentAt, tookMs: 0 }
    return { ...(await transmit(question)), sentAt, tookMs: performance.now() - begin }
  }

  return { ask, close: () => pool.destroy() }
}

const faults: Readonly<Record<Fault, string>> = {
  connect_refused: 'nothing answers at this address',
  connect_timeout: 'no connection within 3 seconds',
  name_not_found: 'the host name of this address cannot be resolved',
  tls_failed: 'no secure connection: the server does not support TLS as we do',
  certificate_not_trusted: 'the certificate is not trusted: NODE_EXTRA_CA_CERTS names the file of an authority of your own',
  not_begun: 'no connection could be made',
  headers_timeout: 'no answer within 10 seconds',
  body_timeout: 'the answer stopped before its end',
  deadline: 'no whole answer within 15 seconds',
  line_cut: 'the connection broke before the answer was whole',
  too_large: 'the answer is larger than 2 MB',
  encoded: 'the answer is compressed, which nobody asked for',
  reader_gone: 'the requester is gone',
  over_budget: 'as many requests are under way as the service allows: try again in a moment',
  over_quota: 'you have asked for all that one person may ask for in a minute: try again in the next',
  budget_unknown: 'the store cannot say how much may be sent right now: try again in a moment',
}

/** Returns a fault as text to put after a colon. */
export const faultWords = (fault: Fault): string => faults[fault]

/** True if a response is an HTML page, which is never parsed as data. */
export const isHtml = ({ headers, text }: Answered): boolean =>
  /^text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)\b/i.test(text)

/** Returns the fields that an error names. Names only: the service's text may repeat the content of an object. */
function complainedAbout(answer: Answered): string {
  const error = (jsonOf(answer)?.error ?? jsonOf(answer) ?? {}) as { items?: unknown }
  const items = Array.isArray(error.items) ? (error.items as { reference?: unknown }[]) : []
  const names = items.map((item) => String(item?.reference ?? '')).filter((name) => /^[A-Za-z][\w.[\]-]{0,60}$/.test(name))
  return names.length > 0 ? `, naming ${[...new Set(names)].slice(0, 5).join(', ')}` : ''
}

/** True if a retry may succeed, because the request itself is not at fault. */
export const isPassing = (reply: Reply): boolean => reply.kind === 'fault' || reply.status === 429 || reply.status >= 500

/** Returns why a response is no success, as text to put after a colon. `does` is the request as a verb phrase. */
export function refusalWords(answer: Answered, does: string): string {
  const { status } = answer
  if (status >= 300 && status <= 399) return `redirects (${status}), and redirects are never followed`
  if (status === 401) return 'the API key is rejected'
  if (status === 403) return `the key may not ${does}`
  if (status === 404 && jsonOf(answer) === null) return 'there is no such address'
  if (status === 404) return 'not found'
  if (status === 429) return `asked to slow down: try again in ${inWords(retryAfterIn(answer.headers) ?? 60)}`
  if (status >= 500) return `the service failed (${status}): try again later`
  return `refused (${status})${complainedAbout(answer)}`
}

/**
 * The readable part of a response. `unreadable` counts unreadable parts by path; `lostRows` counts fully unreadable rows of a list. `total`
 * is the size of a list by its page metadata, else its number of rows.
 */
export type Reading = { data: unknown; unreadable: Readonly<Record<string, number>>; lostRows: number; total: number }

export const isSuccess = (reply: Reply): reply is Reply & Answered => reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299

type Envelope = { data?: unknown; meta?: unknown }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Parses a response like the dashboard, without counting or logging. Null if it is no success, no JSON, or not the expected object or list.
 */
export function readAnswer(operation: ReadId, reply: Reply): Reading | null {
  const body: Envelope | null = isSuccess(reply) ? jsonOf(reply) : null
  const read = body && readTolerantly(schemasOf(operation).output, body.data)
  if (!read) return null
  const rowCount = Array.isArray(body.data) ? body.data.length : 0
  // Fully unreadable rows are counted in `lostRows`.
  const { '[]': _, ...unreadable } = read.paths
  const total = pageIn(isObject(body.meta) ? body.meta : {}, rowCount).total_items ?? rowCount
  return { data: read.data, unreadable, lostRows: read.rows.length, total }
}

/** A read of the contract with its reply; `reading` is null if nothing could be parsed. */
export type Read = { operation: ReadId; reply: Reply; reading: Reading | null }

/** Number of timeouts that ends the check. */
const mostTimeouts = 2
/** Time after which no more requests are sent (milliseconds), because a person waits for the report. */
const longest = 60_000

/**
 * Sends requests in sequence, counts them, and stops when the rest would fail in the same way. The causes are no connection, a limit, a
 * hanging service, a refused key, or a wrong address. Requests after the stop return null.
 */
export class Conversation {
  readonly #ask: Ask
  readonly reads: Read[] = []
  calls = 0
  stopped: string | null = null
  #timeouts = 0
  readonly #beganAt = performance.now()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Sends a request outside the contract; null after the stop. */
  async ask(question: Question): Promise<Reply | null> {
    if (performance.now() - this.#beganAt > longest) this.stopped ??= 'the service answers too slowly; stopped after one minute'
    if (this.stopped) return null
    const reply = await this.#ask(question)
    if (reply.kind === 'answer' || !neverSent.has(reply.fault)) this.calls += 1
    this.#heed(question, reply)
    return reply
  }

  /**
   * Sends a read like the dashboard, with the same query, and adds it to `reads`. Null for invalid input, such as an odd id, and after the
   * stop.
   */
  async read(operation: ReadId, fields: Record<string, unknown>): Promise<Read | null> {
    const input = schemasOf(operation).input.safeParse(fields)
    if (!input.success) return null
    const { path, query } = toRequest(operation, input.data)
    return this.readAt(operation, { path: `/v1${path}`, query })
  }

  /** Sends a read like `read`, for an operation at another address. */
  async readAt(operation: ReadId, question: Question): Promise<Read | null> {
    const reply = await this.ask(question)
    if (!reply) return null
    const read = { operation, reply, reading: readAnswer(operation, reply) }
    this.reads.push(read)
    return read
  }

  #heed(question: Question, reply: Reply): void {
    this.stopped = reply.kind === 'answer' ? this.#endingAnswer(question, reply) : this.#endingFault(reply.fault)
  }

  /** Returns why the check stops after a response; null if it continues. */
  #endingAnswer(question: Question, answer: Answered): string | null {
    const { status } = answer
    const isFirst = this.calls === 1
    if (isFirst && isHtml(answer)) return 'the service answers with HTML pages, not with data'
    // With an account header, the 401 may be about the account and not the key.
    const isRefusedKey = status === 401 && !question.account
    const isNowhere = isFirst && ((status >= 300 && status <= 399) || status === 404)
    return status === 429 || isRefusedKey || isNowhere ? refusalWords(answer, 'read') : null
  }

  #endingFault(fault: Fault): string | null {
    const neverAgain = neverSent.has(fault) || fault === 'reader_gone'
    if (!neverAgain) this.#timeouts += 1
    return neverAgain || this.#timeouts >= mostTimeouts || this.calls === 1 ? faultWords(fault) : null
  }
}
