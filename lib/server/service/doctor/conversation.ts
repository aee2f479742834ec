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

/** One read to try. `path` begins with `/v1`; `account` is the account header in the form to try, which need not be the configured one. */
export type Question = { path: string; query?: string; account?: { header: string; value: string } }

export type Answered = { kind: 'answer'; status: number; headers: Record<string, string>; text: string }

/** What came of a question, when it was sent (milliseconds since 1970) and how long it took (milliseconds). */
export type Reply = (Answered | { kind: 'fault'; fault: Fault; seconds?: number }) & { sentAt: number; tookMs: number }

/** Asks the service one thing. Never throws for what the service or the network does. */
export type Ask = (question: Question) => Promise<Reply>

/** Deadlines in milliseconds, those of every read: connect, headers, silence in a body, and the whole. */
const deadlines = { connect: 3000, headers: 10_000, body: 5000, whole: 15_000 }

/** Why a question may not be sent, as the rate limit says it; null where it may. */
type Leave = () => Promise<{ fault: Fault; seconds: number } | null>

/**
 * A line to the service of a configured environment for trying settings out. It sends GET and nothing else, with our key, over connections of its
 * own; each question first asks for `leave`. Close it in the end.
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
      // A line for each: one that was kept may be dead, which would say nothing about the service.
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

/** What went wrong between us and the service, as words to put after a colon. */
export const faultWords = (fault: Fault): string => faults[fault]

/** Whether an answer is a page for people: HTML is never read as data. */
export const isHtml = ({ headers, text }: Answered): boolean =>
  /^text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)\b/i.test(text)

/** Fields the service complains about, by name alone: its own words may repeat what is in an object. */
function complainedAbout(answer: Answered): string {
  const error = (jsonOf(answer)?.error ?? jsonOf(answer) ?? {}) as { items?: unknown }
  const items = Array.isArray(error.items) ? (error.items as { reference?: unknown }[]) : []
  const names = items.map((item) => String(item?.reference ?? '')).filter((name) => /^[A-Za-z][\w.[\]-]{0,60}$/.test(name))
  return names.length > 0 ? `, naming ${[...new Set(names)].slice(0, 5).join(', ')}` : ''
}

/** Whether asking again later may end otherwise: nothing is wrong with what was asked. */
export const isPassing = (reply: Reply): boolean => reply.kind === 'fault' || reply.status === 429 || reply.status >= 500

/** Why an answer is no success, as words to put after a colon. `does` is what was asked, as a verb phrase. */
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
 * What the desk can read of an answer. `unreadable` counts what it cannot, by path; `lostRows` are rows of a list that cannot be read at all;
 * `total` is how many objects a list has in all: as its page figures say, else as many as came.
 */
export type Reading = { data: unknown; unreadable: Readonly<Record<string, number>>; lostRows: number; total: number }

/** Whether a reply is an answer with a status of success. */
export const isSuccess = (reply: Reply): reply is Reply & Answered => reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299

type Envelope = { data?: unknown; meta?: unknown }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reads an answer as the desk does, without counting or logging it; null for what is no success, no JSON, or not the object or list it should be. */
export function readAnswer(operation: ReadId, reply: Reply): Reading | null {
  const body: Envelope | null = isSuccess(reply) ? jsonOf(reply) : null
  const read = body && readTolerantly(schemasOf(operation).output, body.data)
  if (!read) return null
  const here = Array.isArray(body.data) ? body.data.length : 0
  // Rows that are lost whole are told by their number.
  const { '[]': _, ...unreadable } = read.paths
  const total = pageIn(isObject(body.meta) ? body.meta : {}, here).total_items ?? here
  return { data: read.data, unreadable, lostRows: read.rows.length, total }
}

/** A read of the contract as it was asked and answered; `reading` is null where there is nothing the desk could read. */
export type Read = { operation: ReadId; reply: Reply; reading: Reading | null }

/** Timeouts that are borne before the rest is left alone. */
const mostTimeouts = 2
/** Somebody waits for the report: nothing more is asked once so long has gone by (milliseconds). */
const longest = 60_000

/**
 * Asks one thing after the other, counts, and stops asking once it is plain that the rest would end the same way: no connection, a limit, a service
 * that hangs, a key that is refused or an address that is not one. What is asked after that is answered with null.
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

  /** Asks as said, past the contract; null when nothing is asked any more. */
  async ask(question: Question): Promise<Reply | null> {
    if (performance.now() - this.#beganAt > longest) this.stopped ??= 'the service answers too slowly; stopped after one minute'
    if (this.stopped) return null
    const reply = await this.#ask(question)
    if (reply.kind === 'answer' || !neverSent.has(reply.fault)) this.calls += 1
    this.#heed(question, reply)
    return reply
  }

  /** Asks as the desk would, with the same query. The answer is kept among the reads. What the desk would not ask, such as for an odd id, is null. */
  async read(operation: ReadId, fields: Record<string, unknown>): Promise<Read | null> {
    const input = schemasOf(operation).input.safeParse(fields)
    if (!input.success) return null
    const { path, query } = toRequest(operation, input.data)
    return this.readAt(operation, { path: `/v1${path}`, query })
  }

  /** The same for an operation at an address of its own. */
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

  /** Why nothing more is asked after an answer; null where there may be. */
  #endingAnswer(question: Question, answer: Answered): string | null {
    const { status } = answer
    const isFirst = this.calls === 1
    if (isFirst && isHtml(answer)) return 'the service answers with HTML pages, not with data'
    // Of an account it may be the account that is refused, and not the key.
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
