import 'server-only'
import type { Readable } from 'node:stream'
import type { Pool } from 'undici'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { accountHeaderValue, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import { configuredEnvironments, env, times } from '@/lib/server/config/env'
import { counted } from '@/lib/server/counted'
import { errorCode } from '@/lib/server/error-code'
import { failureLog } from '@/lib/server/failure-log'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { sha256 } from '@/lib/server/store/hashes'
import { inSpan } from '@/lib/server/traces'
import { shrinkBudget } from './budget'
import { type Exchanged, exchange, freshLines, keptLines } from './exchange'
import { ExchangeFailed, type Fault, faultOf, neverSent } from './faults'
import { admit } from './rate-limit'
import { accountInHeader, retryAfterIn, saidAlways } from './request'

/** Minimum length of a run: consecutive characters of a key that are treated like the key itself. */
const keyRunLength = 13
/** Length of the blocks of the key that are searched for. Every run contains at least one whole block, wherever the run begins. */
const block = 7

/** Replaces each run of a key's characters in a short text with `[key]`: some services repeat a key, or most of it, when they refuse it. */
export function withoutKey(text: string, key: string): string {
  let clean = text
  for (let at = 0; at + block <= key.length; at += block) {
    let found = clean.indexOf(key.slice(at, at + block))
    while (found !== -1) {
      const { start, end } = runAround(clean, key, found, at)
      const isKeyRun = end - start >= keyRunLength
      if (isKeyRun) clean = `${clean.slice(0, start)}[key]${clean.slice(end)}`
      found = clean.indexOf(key.slice(at, at + block), isKeyRun ? start : found + 1)
    }
  }
  return clean
}

/**
 * Returns the range of the text that matches the key, given a block that matches. `found` is the block's position in the text, `at` its
 * position in the key.
 */
function runAround(text: string, key: string, found: number, at: number): { start: number; end: number } {
  let before = 0
  while (before < at && found - before > 0 && text[found - before - 1] === key[at - before - 1]) before += 1
  let length = block
  while (at + length < key.length && text[found + length] === key[at + length]) length += 1
  return { start: found - before, end: found + length }
}

/** A request to the service. `path` and `query` come from `toService`. `body` is the exact bytes, or a stream with its exact length. */
export type Sending = {
  operation: ServiceOperationId
  method: string
  path: string
  query: string
  scope: ScopedAccount
  requestId: string
  correlationId?: string
  idempotencyKey?: string
  contentType?: string
  body?: Buffer | { stream: () => Readable; length: number }
  /** Aborts a read whose reader disconnected; never set for a write. */
  signal?: AbortSignal
  /** True if `admit` was already called for this request. */
  admitted?: boolean
}

/**
 * The outcome of a request: a complete response, or a fault. A fault in `neverSent` proves that no byte of the request was sent. `seconds`
 * is the time until a retry makes sense, if known. `attempts` is how often the request was sent, if more than once.
 */
export type Sent = { attempts?: number } & (
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  | { kind: 'fault'; fault: Fault; seconds?: number }
)

/** Connection pools of one environment's service: `kept` connections are reused, `fresh` ones serve one request each. */
type Lines = { kept: Pool; fresh: Pool }

export const linesTo = (environment: Environment): Lines =>
  shared(`lines to ${environment}`, () => {
    const { origin } = new URL(serviceOf(environment).url)
    return { kept: keptLines(origin), fresh: freshLines(origin) }
  })

export function serviceOf(environment: Environment) {
  const service = env().services[environment]
  if (!service) throw new AppError('not_found', `There is no ${environment} environment here`)
  return service
}

/** Returns the fingerprint of an environment's API key, for the action log: a replay with another key could run the action twice. */
export const keyFingerprint = (environment: Environment): string => sha256(serviceOf(environment).apiKey).slice(0, 16)

/** Removes our API keys from a short text of the service, so that it can be shown and stored. */
export const withoutKeys = (text: string): string =>
  configuredEnvironments().reduce((clean, name) => withoutKey(clean, serviceOf(name).apiKey), text)

/** Returns the maximum time of one request (milliseconds). The lease of an action must be longer. */
function deadlineOf(sending: Pick<Sending, 'method' | 'body'>): number {
  const { read, write, upload } = times().exchange
  if (sending.method === 'GET') return read
  return sending.body && !Buffer.isBuffer(sending.body) ? upload : write
}

/** Returns the headers of a request. Copies none from the browser. The account header comes only from a checked scope. */
function headersOf(sending: Sending): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${serviceOf(sending.scope.environment).apiKey}`,
    ...saidAlways,
    'request-id': sending.requestId,
  }
  const account = accountInHeader(sending)
  if (account) headers[env().accountHeader.toLowerCase()] = accountHeaderValue(account)
  if (sending.correlationId) headers['correlation-id'] = sending.correlationId
  if (sending.idempotencyKey) headers['idempotency-key'] = sending.idempotencyKey
  if (sending.contentType) headers['content-type'] = sending.contentType
  if (sending.body) headers['content-length'] = String(sending.body.length)
  return headers
}

/** Reduces the limit of all instances if the response is a 429. Logs a failure of that and does not throw: the response still counts. */
export async function shrinkIfBusy(environment: Environment, answer: Exchanged): Promise<void> {
  if (answer.status !== 429 || env().rateLimits[environment] === null) return
  log.warn({ event: 'service.busy', environment })
  await shrinkBudget(environment, retryAfterIn(answer.headers)).catch((error: unknown) =>
    log.error({ event: 'budget.not_shrunk', environment, code: errorCode(error) }),
  )
}

const unreachedIn = new Map<Environment, ReturnType<typeof failureLog>>()

/** Logs why a service cannot be reached, such as its name or certificate. Pages and the sync show only that it did not respond. */
function noteReached(environment: Environment, sent: Sent): void {
  const unreached = unreachedIn.get(environment) ?? failureLog('service.not_reached', environment)
  unreachedIn.set(environment, unreached)
  if (sent.kind === 'answer') unreached.noteSuccess()
  else if (neverSent.has(sent.fault)) unreached.noteFailure(sent.fault)
}

/**
 * Sends one request to the payments service. Apart from the connection check (`doctor/`), which only reads, no other code sends requests.
 * The rate limit must admit every call. Never follows a redirect, requests no compression, and reads at most 2 MB. If a reused connection
 * was already closed, a read is sent a second time. Nothing else is sent again here.
 * Returns a failure of the service or the network as a fault. Throws `not_found` for an environment that is not configured.
 */
export async function send(sending: Sending): Promise<Sent> {
  const { operation, scope } = sending
  const { environment } = scope
  const refused = sending.admitted ? null : await admit(environment, scope.caller, sending.signal)
  if (refused) {
    counted.shed.inc({ environment, fault: refused.fault })
    return { kind: 'fault', ...refused }
  }
  return inSpan(`service ${operation}`, 'call', async (say) => {
    const stop = counted.calls.startTimer({ environment, operation })
    const sent = await transmit(sending)
    noteReached(environment, sent)
    stop({ outcome: sent.kind === 'fault' ? 'fault' : `${Math.floor(sent.status / 100)}xx` })
    const outcome = sent.kind === 'fault' ? { outcome: sent.fault } : { status: sent.status }
    say({ operation, environment, request_id: sending.requestId, ...outcome })
    return sent
  })
}

export function requestOf(sending: Sending) {
  const { responseHeaders, responseBody } = times()
  const base = new URL(serviceOf(sending.scope.environment).url).pathname.replace(/\/$/, '')
  return {
    method: sending.method as 'GET',
    path: `${base}${sending.path}${sending.query ? `?${sending.query}` : ''}`,
    headers: headersOf(sending),
    body: sending.body === undefined ? null : Buffer.isBuffer(sending.body) ? sending.body : sending.body.stream(),
    headersTimeout: sending.method === 'GET' ? responseHeaders.read : responseHeaders.write,
    bodyTimeout: responseBody.silence,
  }
}

/**
 * True if a request may be sent again: a read whose connection was already closed, if it was not aborted and its deadline has not passed.
 * The rate limit must admit it like any call. A write may not, because only a replay under its key shows its outcome at the service.
 */
async function maySendAgain({ method, scope, signal }: Sending, error: unknown, deadline: number): Promise<boolean> {
  if (method !== 'GET' || signal?.aborted || !(error instanceof ExchangeFailed && error.onDeadLine)) return false
  const refused = await admit(scope.environment, scope.caller, signal)
  return refused === null && performance.now() < deadline
}

async function transmit(sending: Sending): Promise<Sent> {
  const { operation, requestId, signal, scope } = sending
  const { kept, fresh } = linesTo(scope.environment)
  const deadline = performance.now() + deadlineOf(sending)
  const retryInfo: { attempts?: number } = {}
  try {
    const request = requestOf(sending)
    const answer = await exchange(kept, request, deadlineOf(sending), signal).catch(async (error: unknown) => {
      if (!(await maySendAgain(sending, error, deadline))) throw error
      // Both sends have the same id: they are one request, and the id finds either of them in the service's log.
      log.info({ event: 'service.sent_again', environment: scope.environment, operation, request_id: requestId })
      retryInfo.attempts = 2
      return exchange(fresh, { ...request, reset: true }, deadline - performance.now(), signal)
    })
    await shrinkIfBusy(scope.environment, answer)
    return { kind: 'answer', ...answer, ...retryInfo }
  } catch (error) {
    const fault = faultOf(error)
    // The first send may have reached the service, so a fault of the second must not count as never sent.
    return retryInfo.attempts && neverSent.has(fault) ? { kind: 'fault', fault: 'line_cut' } : { kind: 'fault', fault, ...retryInfo }
  }
}
