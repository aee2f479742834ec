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
import { getSharedValue } from '@/lib/server/shared'
import { sha256 } from '@/lib/server/store/hashes'
import { runInSpan } from '@/lib/server/traces'
import { shrinkBudget } from './budget'
import {
  createReusingPool,
  createSingleUsePool,
  type ExchangeResult,
  exchangeRequest,
} from './exchange'
import { type CallFault, ExchangeError, toFault, unsentFaults } from './faults'
import { admitCall } from './rate-limit'
import { findHeaderAccount, fixedHeaders, parseRetryAfter } from './request'

/**
 * A part of a key with at least this many consecutive characters (a "run") is removed from texts
 * like the whole key.
 */
const keyRunLength = 13
/**
 * Length of the blocks into which the key is split for the search. Wherever a run begins, it
 * contains at least one whole block.
 */
const blockLength = 7

/**
 * Replaces each run of the key in a short text with `[key]`. Some services repeat a key, or most of
 * it, in the error for a wrong key.
 */
export function maskKey(text: string, key: string): string {
  let maskedText = text
  for (let at = 0; at + blockLength <= key.length; at += blockLength) {
    let blockStart = maskedText.indexOf(key.slice(at, at + blockLength))
    while (blockStart !== -1) {
      const { start, end } = findKeyRun(maskedText, key, blockStart, at)
      const isKeyRun = end - start >= keyRunLength
      if (isKeyRun) maskedText = `${maskedText.slice(0, start)}[key]${maskedText.slice(end)}`
      blockStart = maskedText.indexOf(
        key.slice(at, at + blockLength),
        isKeyRun ? start : blockStart + 1,
      )
    }
  }
  return maskedText
}

/**
 * Returns the range of the text that is the same as in the key, around a block of the key. The
 * block was found at a position in the text, and has its own position in the key.
 */
function findKeyRun(
  text: string,
  key: string,
  found: number,
  keyOffset: number,
): { start: number; end: number } {
  let before = 0
  while (
    before < keyOffset &&
    found - before > 0 &&
    text[found - before - 1] === key[keyOffset - before - 1]
  )
    before += 1
  let length = blockLength
  while (keyOffset + length < key.length && text[found + length] === key[keyOffset + length])
    length += 1
  return { start: found - before, end: found + length }
}

/**
 * A request to the service. `path` and `query` come from `toServiceRequest`. `body` is the exact
 * bytes, or a stream with its length in bytes.
 */
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
  /** True if the rate limit has already admitted this request (`admitCall`). */
  admitted?: boolean
}

/**
 * The outcome of a request: a complete response, or a fault. A fault in `unsentFaults` proves that
 * no byte of the request was sent. `seconds` is the time until a retry makes sense, if known.
 * `attempts` is how often the request was sent, if more than once.
 */
export type SendResult = { attempts?: number } & (
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  | { kind: 'fault'; fault: CallFault; seconds?: number }
)

/**
 * Connection pools of one environment's service: `kept` connections are reused, `fresh` ones serve
 * one request each.
 */
type ServicePools = { kept: Pool; fresh: Pool }

export const getServicePools = (environment: Environment): ServicePools =>
  getSharedValue(`lines to ${environment}`, () => {
    const { origin } = new URL(requireService(environment).url)
    return { kept: createReusingPool(origin), fresh: createSingleUsePool(origin) }
  })

export function requireService(environment: Environment) {
  const service = env().services[environment]
  if (!service) throw new AppError('not_found', `There is no ${environment} environment here`)
  return service
}

/**
 * Returns the fingerprint of an environment's API key. The action log stores it: an action must not
 * be sent again with another key, because the service could then run it twice.
 */
export const getKeyFingerprint = (environment: Environment): string =>
  sha256(requireService(environment).apiKey).slice(0, 16)

/**
 * Removes our API keys from a short text that the service sent, so that the text can be shown and
 * stored.
 */
export const maskApiKeys = (text: string): string =>
  listConfiguredEnvironments().reduce(
    (clean, name) => maskKey(clean, requireService(name).apiKey),
    text,
  )

/**
 * Returns the maximum time of one request (milliseconds). The lease of an action, which reserves it
 * for one process, must be longer.
 */
function getRequestTimeoutMs(serviceRequest: Pick<ServiceRequest, 'method' | 'body'>): number {
  const { read, write, upload } = times().exchange
  if (serviceRequest.method === 'GET') return read
  return serviceRequest.body && !Buffer.isBuffer(serviceRequest.body) ? upload : write
}

/**
 * Returns the headers of a request. Copies no headers from the browser. The account header comes
 * only from a checked scope.
 */
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

/**
 * Reduces the rate limit of all instances if the response is a 429. If that fails, logs it and does
 * not throw, because the response itself is still valid.
 */
export async function shrinkBudgetIfBusy(
  environment: Environment,
  answer: ExchangeResult,
): Promise<void> {
  if (answer.status !== 429 || env().rateLimits[environment] === null) return
  log.warn({ event: 'service.busy', environment })
  await shrinkBudget(environment, parseRetryAfter(answer.headers)).catch((error: unknown) =>
    log.error({ event: 'budget.not_shrunk', environment, code: getErrorCode(error) }),
  )
}

const reachLogs = new Map<Environment, ReturnType<typeof createFailureLog>>()

/**
 * Logs why a service cannot be reached, for example because of its host name or certificate. Pages
 * and the sync show only that it did not respond.
 */
function logReachability(environment: Environment, sent: SendResult): void {
  const reachLog =
    reachLogs.get(environment) ?? createFailureLog('service.not_reached', environment)
  reachLogs.set(environment, reachLog)
  if (sent.kind === 'answer') reachLog.noteSuccess()
  else if (unsentFaults.has(sent.fault)) reachLog.noteFailure(sent.fault)
}

/**
 * Sends one request to the payments service. Apart from the connection check (`doctor/`), which
 * only reads, no other code sends requests. The rate limit must admit every call. Never follows a
 * redirect, requests no compression, and reads at most 2 MB. If a reused connection was already
 * closed, a read is sent a second time. This function repeats no other request. Returns a failure
 * of the service or the network as a fault. Throws `not_found` for an environment that is not
 * configured.
 */
export async function sendRequest(serviceRequest: ServiceRequest): Promise<SendResult> {
  const { operation, scope } = serviceRequest
  const { environment } = scope
  const rateRefusal = serviceRequest.admitted
    ? null
    : await admitCall(environment, scope.caller, serviceRequest.signal)
  if (rateRefusal) {
    metrics.shed.inc({ environment, fault: rateRefusal.fault })
    return { kind: 'fault', ...rateRefusal }
  }
  return runInSpan(`service ${operation}`, 'call', async (setSpanFields) => {
    const stopTimer = metrics.calls.startTimer({ environment, operation })
    const sendResult = await transmitRequest(serviceRequest)
    logReachability(environment, sendResult)
    stopTimer({
      outcome: sendResult.kind === 'fault' ? 'fault' : `${Math.floor(sendResult.status / 100)}xx`,
    })
    const outcome =
      sendResult.kind === 'fault' ? { outcome: sendResult.fault } : { status: sendResult.status }
    setSpanFields({ operation, environment, request_id: serviceRequest.requestId, ...outcome })
    return sendResult
  })
}

export function toHttpRequest(serviceRequest: ServiceRequest) {
  const { responseHeaders, responseBody } = times()
  const basePath = new URL(requireService(serviceRequest.scope.environment).url).pathname.replace(
    /\/$/,
    '',
  )
  return {
    method: serviceRequest.method as 'GET',
    path: `${basePath}${serviceRequest.path}${serviceRequest.query ? `?${serviceRequest.query}` : ''}`,
    headers: buildHeaders(serviceRequest),
    body:
      serviceRequest.body === undefined
        ? null
        : Buffer.isBuffer(serviceRequest.body)
          ? serviceRequest.body
          : serviceRequest.body.stream(),
    headersTimeout: serviceRequest.method === 'GET' ? responseHeaders.read : responseHeaders.write,
    bodyTimeout: responseBody.silence,
  }
}

/**
 * True if a request may be sent again: only a read whose connection was already closed, if the read
 * was not aborted and its deadline has not passed. The rate limit must admit the second call too. A
 * write must not be sent again here: only a replay under its idempotency key shows its outcome.
 */
async function canRetry(
  { method, scope, signal }: ServiceRequest,
  error: unknown,
  deadline: number,
): Promise<boolean> {
  if (method !== 'GET' || signal?.aborted || !(error instanceof ExchangeError && error.onDeadLine))
    return false
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
    const answer = await exchangeRequest(
      kept,
      request,
      getRequestTimeoutMs(serviceRequest),
      signal,
    ).catch(async (error: unknown) => {
      if (!(await canRetry(serviceRequest, error, deadline))) throw error
      // Both sends have the same id, because they are one request. With the id, either of them can
      // be found in the log of the service.
      log.info({
        event: 'service.sent_again',
        environment: scope.environment,
        operation,
        request_id: requestId,
      })
      retryInfo.attempts = 2
      return exchangeRequest(
        fresh,
        { ...request, reset: true },
        deadline - performance.now(),
        signal,
      )
    })
    await shrinkBudgetIfBusy(scope.environment, answer)
    return { kind: 'answer', ...answer, ...retryInfo }
  } catch (error) {
    const fault = toFault(error)
    // The first send may have reached the service. So if the second one was not sent, return a
    // fault that does not count as unsent.
    return retryInfo.attempts && unsentFaults.has(fault)
      ? { kind: 'fault', fault: 'line_cut' }
      : { kind: 'fault', fault, ...retryInfo }
  }
}
