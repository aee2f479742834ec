import 'server-only'
import type { Readable } from 'node:stream'
import type { Pool } from 'undici'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import type { Integration } from '@/lib/operations/integration'
import type { ServiceOperationId } from '@/lib/operations/service-operations'
import { type ScopedAccount, toAccountHeaderValue } from '@/lib/server/auth/scoped-account'
import { env, getTimeSettings, listConfiguredEnvironments } from '@/lib/server/config/env'
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
import {
  findHeaderAccount,
  fixedRequestHeaders,
  parseRetryAfter,
  requireHeaderAccount,
} from './request'

/** This many consecutive characters of a key (a "run") are removed like the whole key. */
const minKeyFragmentLength = 13
/** Wherever a run of the key begins, it contains at least one whole block of this length. */
const keyBlockLength = 7

/** Some services repeat the key, or most of it, in the error for a wrong key. */
export function maskKey(text: string, key: string): string {
  let maskedText = text
  for (let at = 0; at + keyBlockLength <= key.length; at += keyBlockLength) {
    let blockStart = maskedText.indexOf(key.slice(at, at + keyBlockLength))
    while (blockStart !== -1) {
      const { start, end } = findKeyFragment(maskedText, key, blockStart, at)
      const isKeyFragment = end - start >= minKeyFragmentLength
      if (isKeyFragment) maskedText = `${maskedText.slice(0, start)}[key]${maskedText.slice(end)}`
      blockStart = maskedText.indexOf(
        key.slice(at, at + keyBlockLength),
        isKeyFragment ? start : blockStart + 1,
      )
    }
  }
  return maskedText
}

/** Extends a match of a key block (`found` in the text, `keyOffset` in the key) on both sides. */
function findKeyFragment(
  text: string,
  key: string,
  found: number,
  keyOffset: number,
): { start: number; end: number } {
  let matchedCharsBefore = 0
  while (
    matchedCharsBefore < keyOffset &&
    found - matchedCharsBefore > 0 &&
    text[found - matchedCharsBefore - 1] === key[keyOffset - matchedCharsBefore - 1]
  )
    matchedCharsBefore += 1
  let matchedLength = keyBlockLength
  while (
    keyOffset + matchedLength < key.length &&
    text[found + matchedLength] === key[keyOffset + matchedLength]
  )
    matchedLength += 1
  return { start: found - matchedCharsBefore, end: found + matchedLength }
}

/** `path`, `query`: see `toServiceRequest`. `body`: the bytes, or a stream with its byte length. */
export type ServiceRequest = {
  operation: ServiceOperationId
  method: string
  path: string
  query: string
  scope: ScopedAccount
  /** The kind of integration at the recording of an action. Unset for a read. */
  integration?: Integration
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
 * A fault in `unsentFaults` proves that no byte of the request was sent. `seconds` is the time
 * until a retry makes sense. `attempts` is set if the request was sent more than once.
 */
export type SendResult = { attempts?: number } & (
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  | { kind: 'fault'; fault: CallFault; seconds?: number }
)

/** `kept` connections are reused, `fresh` ones serve one request each. */
type ServicePools = { kept: Pool; fresh: Pool }

export const getServicePools = (environment: Environment): ServicePools =>
  getSharedValue(`lines to ${environment}`, () => {
    const { origin } = new URL(requireServiceAddress(environment).url)
    return { kept: createReusingPool(origin), fresh: createSingleUsePool(origin) }
  })

export function requireServiceAddress(environment: Environment) {
  const service = env().services[environment]
  if (!service) throw new AppError('not_found', `There is no ${environment} environment here`)
  return service
}

/**
 * The action log stores this fingerprint of the API key, because a repeat under another key could
 * make the service run the action twice.
 */
export const getKeyFingerprint = (environment: Environment): string =>
  sha256(requireServiceAddress(environment).apiKey).slice(0, 16)

/** Used for short texts of the service, so that they can be shown and stored. */
export const maskApiKeys = (text: string): string =>
  listConfiguredEnvironments().reduce(
    (clean, name) => maskKey(clean, requireServiceAddress(name).apiKey),
    text,
  )

/**
 * The maximum time of a request. The lease of an action, which reserves it for one process, must be
 * longer than that.
 */
function getRequestTimeoutMs(serviceRequest: Pick<ServiceRequest, 'method' | 'body'>): number {
  const { read, write, upload } = getTimeSettings().exchange
  if (serviceRequest.method === 'GET') return read
  return serviceRequest.body && !Buffer.isBuffer(serviceRequest.body) ? upload : write
}

/** Copies no headers from the browser. The account header comes only from a checked scope. */
function buildHeaders(serviceRequest: ServiceRequest): Record<string, string> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${requireServiceAddress(serviceRequest.scope.environment).apiKey}`,
    ...fixedRequestHeaders,
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

/** A failure is logged and not thrown, because the response itself is still valid. */
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

const reachabilityLogs = new Map<Environment, ReturnType<typeof createFailureLog>>()

/** Logs the reason: pages and the sync show only that the service did not respond. */
function logReachability(environment: Environment, sent: SendResult): void {
  const reachabilityLog =
    reachabilityLogs.get(environment) ?? createFailureLog('service.not_reached', environment)
  reachabilityLogs.set(environment, reachabilityLog)
  if (sent.kind === 'answer') reachabilityLog.noteSuccess()
  else if (unsentFaults.has(sent.fault)) reachabilityLog.noteFailure(sent.fault)
}

/**
 * Apart from the connection check (`doctor/`), which only reads, no other code sends requests. The
 * rate limit must admit every call. Never follows a redirect, requests no compression, and reads at
 * most 2 MB. If a reused connection was already closed, a read (and nothing else) is sent a second
 * time. Returns a failure of the service or the network as a fault. Throws `invalid_input` if the
 * call requires an account and has none.
 */
export async function sendRequest(serviceRequest: ServiceRequest): Promise<SendResult> {
  const { operation, scope } = serviceRequest
  const { environment } = scope
  requireHeaderAccount(serviceRequest)
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
    const outcomeFields =
      sendResult.kind === 'fault' ? { outcome: sendResult.fault } : { status: sendResult.status }
    setSpanFields({
      operation,
      environment,
      request_id: serviceRequest.requestId,
      ...outcomeFields,
    })
    return sendResult
  })
}

export function toHttpRequest(serviceRequest: ServiceRequest) {
  const { responseHeaders, responseBody } = getTimeSettings()
  const basePath = new URL(
    requireServiceAddress(serviceRequest.scope.environment).url,
  ).pathname.replace(/\/$/, '')
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
 * True only for a read whose reused connection was already closed, and only if the rate limit
 * admits it. A write must not be sent again here: only a replay under its idempotency key shows its
 * outcome.
 */
async function canRetry(
  { method, scope, signal }: ServiceRequest,
  error: unknown,
  deadline: number,
): Promise<boolean> {
  if (method !== 'GET' || signal?.aborted || !(error instanceof ExchangeError && error.onDeadLine))
    return false
  const retryRefusal = await admitCall(scope.environment, scope.caller, signal)
  return retryRefusal === null && performance.now() < deadline
}

async function transmitRequest(serviceRequest: ServiceRequest): Promise<SendResult> {
  const { operation, requestId, signal, scope } = serviceRequest
  const { kept, fresh } = getServicePools(scope.environment)
  const deadline = performance.now() + getRequestTimeoutMs(serviceRequest)
  const retryInfo: { attempts?: number } = {}
  try {
    const request = toHttpRequest(serviceRequest)
    const exchangeResult = await exchangeRequest(
      kept,
      request,
      getRequestTimeoutMs(serviceRequest),
      signal,
    ).catch(async (error: unknown) => {
      if (!(await canRetry(serviceRequest, error, deadline))) throw error
      // One request has one id: with it, both sends can be found in the log of the service.
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
    await shrinkBudgetIfBusy(scope.environment, exchangeResult)
    return { kind: 'answer', ...exchangeResult, ...retryInfo }
  } catch (error) {
    const fault = toFault(error)
    // The first send may have reached the service. So if the second one was not sent, return a
    // fault that does not count as unsent.
    return retryInfo.attempts && unsentFaults.has(fault)
      ? { kind: 'fault', fault: 'line_cut' }
      : { kind: 'fault', fault, ...retryInfo }
  }
}
