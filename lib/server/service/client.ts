import 'server-only'
import type { Readable } from 'node:stream'
import type { Pool } from 'undici'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { type ScopedAccount, toAccountHeaderValue } from '@/lib/server/auth/scoped-account'
import { env, listConfiguredEnvironments, times } from '@/lib/server/config/env'
import { metrics } from '@/lib/server/counters'
import { getErrorCode } from '@/lib/server/error-code'
import { createFailureLog } from '@/lib/server/failure-log'
import { log } from '@/lib/server/log'
import { shared } from '@/lib/server/shared'
import { sha256 } from '@/lib/server/store/hashes'
import { runInSpan } from '@/lib/server/traces'
import { shrinkBudget } from './budget'
import { createReusingPool, createSingleUsePool, type ExchangeResult, exchangeRequest } from './exchange'
import { ExchangeError, type Fault, toFault, unsentFaults } from './faults'
import { admitCall } from './rate-limit'
import { findHeaderAccount, fixedHeaders, parseRetryAfter } from './request'

/** Minimum length of a run: consecutive characters of a key that are treated like the key itself. */
const keyRunLength = 13
/** Length of the blocks of the key that are searched for. Every run contains at least one whole block, wherever the run begins. */
const blockLength = 7

/** Replaces each run of a key's characters in a short text with `[key]`: some services repeat a key, or most of it, when they refuse it. */
export function maskKey(text: string, key: string): string {
  let maskedText = text
  for (let at = 0; at + blockLength <= key.length; at += blockLength) {
    let blockStart = maskedText.indexOf(key.slice(at, at + blockLength))
    while (blockStart !== -1) {
      const { start, end } = findKeyRun(maskedText, key, blockStart, at)
      const isKeyRun = end - start >= keyRunLength
      if (isKeyRun) maskedText = `${maskedText.slice(0, start)}[key]${maskedText.slice(end)}`
      blockStart = maskedText.indexOf(key.slice(at, at + blockLength), isKeyRun ? start : blockStart + 1)
    }
  }
  return maskedText
}

/**
 * Returns the range of the text that matches the key, given a block that matches. `found` is the block's position in the text, `at` its
 * position in the key.
 */
function findKeyRun(text: string, key: string, found: number, at: number): { start: number; end: number } {
  let before = 0
  while (before < at && found - before > 0 && text[found - before - 1] === key[at - before - 1]) before += 1
  let length = blockLength
  while (at + length < key.length && text[found + length] === key[at + length]) length += 1
  return { start: found - before, end: found + length }
}

/** A request to the service. `path` and `query` come from `toServiceRequest`. `body` is the exact bytes, or a stream with its exact length. */
export type ServiceRequest = {
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
export type SendResult = { attempts?: number } & (
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  | { kind: 'fault'; fault: Fault; seconds?: number }
)

/** Connection pools of one environment's service: `kept` connections are reused, `fresh` ones serve one request each. */
type ServicePools = { kept: Pool; fresh: Pool }

export const getServicePools = (environment: Environment): ServicePools =>
  shared(`lines to ${environment}`, () => {
    const { origin } = new URL(requireService(environment).url)
    return { kept: createReusingPool(origin), fresh: createSingleUsePool(origin) }
  })

export function requireService(environment: Environment) {
  const service = env().services[environment]
  if (!service) throw new AppError('not_found', `There is no ${environment} environment here`)
  return service
}

/** Returns the fingerprint of an environment's API key, for the action log: a replay with another key could run the action twice. */
export const getKeyFingerprint = (environment: Environment): string => sha256(requireService(environment).apiKey).slice(0, 16)

/** Removes our API keys from a short text of the service, so that it can be shown and stored. */
export const maskApiKeys = (text: string): string =>
  listConfiguredEnvironments().reduce((clean, name) => maskKey(clean, requireService(name).apiKey), text)

/** Returns the maximum time of one request (milliseconds). The lease of an action must be longer. */
function getRequestTimeoutMs(serviceRequest: Pick<ServiceRequest, 'method' | 'body'>): number {
  const { read, write, upload } = times().exchange
  if (serviceRequest.method === 'GET') return read
  return serviceRequest.body && !Buffer.isBuffer(serviceRequest.body) ? upload : write
}

/** Returns the headers of a request. Copies none from the browser. The account header comes only from a checked scope. */
function buildHeaders(serviceRequest: ServiceRequest): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${requireService(serviceRequest.scope.environment).apiKey}`,
    ...fixedHeaders,
    'request-id': serviceRequest.requestId,
  }
  const account = findHeaderAccount(serviceRequest)
  if (account) headers[env().accountHeader.toLowerCase()] = toAccountHeaderValue(account)
  if (serviceRequest.correlationId) headers['correlation-id'] = serviceRequest.correlationId
  if (serviceRequest.idempotencyKey) headers['idempotency-key'] = serviceRequest.idempotencyKey
  if (serviceRequest.contentType) headers['content-type'] = serviceRequest.contentType
  if (serviceRequest.body) headers['content-length'] = String(serviceRequest.body.length)
  return headers
}

/** Reduces the limit of all instances if the response is a 429. Logs a failure of that and does not throw: the response still counts. */
export async function shrinkBudgetIfBusy(environment: Environment, answer: ExchangeResult): Promise<void> {
  if (answer.status !== 429 || env().rateLimits[environment] === null) return
  log.warn({ event: 'service.busy', environment })
  await shrinkBudget(environment, parseRetryAfter(answer.headers)).catch((error: unknown) =>
    log.error({ event: 'budget.not_shrunk', environment, code: getErrorCode(error) }),
  )
}

const reachLogs = new Map<Environment, ReturnType<typeof createFailureLog>>()

/** Logs why a service cannot be reached, such as its name or certificate. Pages and the sync show only that it did not respond. */
function logReachability(environment: Environment, sent: SendResult): void {
  const reachLog = reachLogs.get(environment) ?? createFailureLog('service.not_reached', environment)
  reachLogs.set(environment, reachLog)
  if (sent.kind === 'answer') reachLog.noteSuccess()
  else if (unsentFaults.has(sent.fault)) reachLog.noteFailure(sent.fault)
}

/**
 * Sends one request to the payments service. Apart from the connection check (`doctor/`), which only reads, no other code sends requests.
 * The rate limit must admit every call. Never follows a redirect, requests no compression, and reads at most 2 MB. If a reused connection
 * was already closed, a read is sent a second time. Nothing else is sent again here.
 * Returns a failure of the service or the network as a fault. Throws `not_found` for an environment that is not configured.
 */
export async function sendRequest(serviceRequest: ServiceRequest): Promise<SendResult> {
  const { operation, scope } = serviceRequest
  const { environment } = scope
  const rateRefusal = serviceRequest.admitted ? null : await admitCall(environment, scope.caller, serviceRequest.signal)
  if (rateRefusal) {
    metrics.shed.inc({ environment, fault: rateRefusal.fault })
    return { kind: 'fault', ...rateRefusal }
  }
  return runInSpan(`service ${operation}`, 'call', async (setSpanFields) => {
    const stopTimer = metrics.calls.startTimer({ environment, operation })
    const sendResult = await transmitRequest(serviceRequest)
    logReachability(environment, sendResult)
    stopTimer({ outcome: sendResult.kind === 'fault' ? 'fault' : `${Math.floor(sendResult.status / 100)}xx` })
    const outcome = sendResult.kind === 'fault' ? { outcome: sendResult.fault } : { status: sendResult.status }
    setSpanFields({ operation, environment, request_id: serviceRequest.requestId, ...outcome })
    return sendResult
  })
}

export function toHttpRequest(serviceRequest: ServiceRequest) {
  const { responseHeaders, responseBody } = times()
  const basePath = new URL(requireService(serviceRequest.scope.environment).url).pathname.replace(/\/$/, '')
  return {
    method: serviceRequest.method as 'GET',
    path: `${basePath}${serviceRequest.path}${serviceRequest.query ? `?${serviceRequest.query}` : ''}`,
    headers: buildHeaders(serviceRequest),
    body:
      serviceRequest.body === undefined ? null : Buffer.isBuffer(serviceRequest.body) ? serviceRequest.body : serviceRequest.body.stream(),
    headersTimeout: serviceRequest.method === 'GET' ? responseHeaders.read : responseHeaders.write,
    bodyTimeout: responseBody.silence,
  }
}

/**
 * True if a request may be sent again: a read whose connection was already closed, if it was not aborted and its deadline has not passed.
 * The rate limit must admit it like any call. A write may not, because only a replay under its key shows its outcome at the service.
 */
async function canRetry({ method, scope, signal }: ServiceRequest, error: unknown, deadline: number): Promise<boolean> {
  if (method !== 'GET' || signal?.aborted || !(error instanceof ExchangeError && error.onDeadLine)) return false
  const refused = await admitCall(scope.environment, scope.caller, signal)
  return refused === null && performance.now() < deadline
}

async function transmitRequest(serviceRequest: ServiceRequest): Promise<SendResult> {
  const { operation, requestId, signal, scope } = serviceRequest
  const { kept, fresh } = getServicePools(scope.environment)
  const deadline = performance.now() + getRequestTimeoutMs(serviceRequest)
  const retryInfo: { attempts?: number } = {}
  try {
    const request = toHttpRequest(serviceRequest)
    const answer = await exchangeRequest(kept, request, getRequestTimeoutMs(serviceRequest), signal).catch(async (error: unknown) => {
      if (!(await canRetry(serviceRequest, error, deadline))) throw error
      // Both sends have the same id: they are one request, and the id finds either of them in the service's log.
      log.info({ event: 'service.sent_again', environment: scope.environment, operation, request_id: requestId })
      retryInfo.attempts = 2
      return exchangeRequest(fresh, { ...request, reset: true }, deadline - performance.now(), signal)
    })
    await shrinkBudgetIfBusy(scope.environment, answer)
    return { kind: 'answer', ...answer, ...retryInfo }
  } catch (error) {
    const fault = toFault(error)
    // The first send may have reached the service, so a fault of the second must not count as never sent.
    return retryInfo.attempts && unsentFaults.has(fault) ? { kind: 'fault', fault: 'line_cut' } : { kind: 'fault', fault, ...retryInfo }
  }
}
