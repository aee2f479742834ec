import 'server-only'
import canonicalize from 'canonicalize'
import pLimit from 'p-limit'
import { AppError } from '@/lib/errors'
import type { ApiAnswer } from '@/lib/operations/answer'
import {
  doesContradictFilter,
  type PaymentSummary,
  type PaymentsFilter,
} from '@/lib/operations/payments.schema'
import type { Input, Output } from '@/lib/operations/registry'
import {
  getAccountHeaderRule,
  getServiceOperation,
  type ReadId,
} from '@/lib/operations/service-operations'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { getIntegration } from '@/lib/server/config/integration'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { cacheAnswerAccount, storeAnswerInMirror } from '@/lib/server/mirror/store-answer'
import { sha256 } from '@/lib/server/store/hashes'
import { type ParsedAnswer, requireReadResult } from './answer'
import { type SendResult, sendRequest } from './client'
import { waitForRecentWrites } from './rate-limit'
import { createRequestId, toServiceRequest } from './request'

/**
 * For reads before a write. A failed read becomes `not_sent`: the write was not sent, and the page
 * must not show its outcome as unknown. `subjectText` names the thing that could not be read.
 */
export function createNotSentHandler(subjectText: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof AppError) || cause.code !== 'service_failed') throw cause
    throw new AppError(
      'not_sent',
      `${subjectText} could not be read. Nothing was sent: try again`,
      {
        requestId: cause.requestId,
        cause,
      },
    )
  }
}

/** Limit for one incoming request. Low, because all calls share the platform's rate limit. */
export const maxParallelCalls = 4

/** Keeps the order of the items. Throws the first failure at once and starts no more items. */
export async function mapLimited<T, R>(
  items: Iterable<T>,
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const limitConcurrency = pLimit(maxParallelCalls)
  try {
    return await limitConcurrency.map(items, work)
  } catch (error) {
    limitConcurrency.clearQueue()
    throw error
  }
}

/** `snapshot` is the hash of the data if that is a single object. */
export type ServiceReadResult<K extends ReadId> = {
  data: Output<K>
  meta: ApiAnswer<unknown>['meta'] & { read_at: string; snapshot?: string }
}

/** A write sends the hash, so that the server can detect that the object has changed since. */
export const hashSnapshot = (data: unknown): string => sha256(canonicalize(data) ?? '')

/**
 * Removes rows that contradict the filter, because some services ignore a filter that they do not
 * know. Their total includes these rows, so it is removed too.
 */
function dropContradictingRows(
  id: ReadId,
  input: unknown,
  parsed: ParsedAnswer,
): ParsedAnswer & { leftOut?: number } {
  if (!getServiceOperation(id).checksFilter) return parsed
  const rows = parsed.data as PaymentSummary[]
  const matchingRows = rows.filter(
    (row) => !doesContradictFilter(input as Partial<PaymentsFilter>, row),
  )
  if (matchingRows.length === rows.length) return parsed
  const { total_items: _, ...page } = parsed.page
  return { ...parsed, data: matchingRows, page, leftOut: rows.length - matchingRows.length }
}

function requireReadResultWithAttempts(
  id: ReadId,
  sent: SendResult,
  requestId: string,
): ParsedAnswer {
  try {
    return requireReadResult(id, sent, requestId)
  } catch (error) {
    if (error instanceof AppError) error.attempts = sent.attempts
    throw error
  }
}

/** `input` must be parsed. Throws an `AppError` unless the response is a readable success. */
export async function fetchFromService<K extends ReadId>(
  id: K,
  input: Input<K>,
  scope: ScopedAccount,
  signal?: AbortSignal,
): Promise<ServiceReadResult<K>> {
  const requestId = createRequestId()
  const { method, path, query } = toServiceRequest(id, input as Record<string, unknown>, scope)
  const sendResult = await sendRequest({
    operation: id,
    method,
    path,
    query,
    scope,
    requestId,
    ...(signal ? { signal } : {}),
  })
  const parsed = dropContradictingRows(
    id,
    input,
    requireReadResultWithAttempts(id, sendResult, requestId),
  )
  const meta: ServiceReadResult<K>['meta'] = {
    ...parsed.page,
    request_id: requestId,
    read_at: new Date().toISOString(),
  }
  if (parsed.apiRequestId) meta.api_request_id = parsed.apiRequestId
  if (sendResult.attempts) meta.attempts = sendResult.attempts
  if (parsed.rows.length > 0) meta.unreadable_rows = parsed.rows
  if (parsed.leftOut) meta.left_out = parsed.leftOut
  if (!Array.isArray(parsed.data)) meta.snapshot = hashSnapshot(parsed.data)
  return { data: parsed.data as Output<K>, meta }
}

/**
 * Also stores the objects in the mirror, our copy of the service's data, in the background. If
 * storing fails, the read still succeeds.
 */
export async function readService<K extends ReadId>(
  id: K,
  input: Input<K>,
  scope: ScopedAccount,
  signal?: AbortSignal,
): Promise<ServiceReadResult<K>> {
  const requestedAt = new Date()
  const readResult = await fetchFromService(id, input, scope, signal)
  const { environment } = scope
  const headerRule = getAccountHeaderRule(id, getIntegration(environment))
  const account = headerRule === 'forbidden' ? null : scope.accountId
  if (account) cacheAnswerAccount(id, readResult.data, environment, account)
  const hasMetadata = (input as { include_metadata?: boolean }).include_metadata === true
  void waitForRecentWrites()
    .then(() =>
      storeAnswerInMirror(id, readResult.data, {
        environment,
        account,
        seenBy: 'read',
        seenAt: requestedAt,
        shownBy: readResult.meta.request_id,
        isWhole: hasMetadata,
      }),
    )
    .catch((error: unknown) =>
      log.warn({ event: 'mirror.not_kept', operation: id, code: getErrorCode(error) }),
    )
  return readResult
}
