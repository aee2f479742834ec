import 'server-only'
import canonicalize from 'canonicalize'
import pLimit from 'p-limit'
import { AppError } from '@/lib/errors'
import type { Answer } from '@/lib/operations/answer'
import {
  contradictsFilter,
  type PaymentSummary,
  type PaymentsFilter,
} from '@/lib/operations/payments.schema'
import type { Input, Output } from '@/lib/operations/registry'
import { getServiceOperation, type ReadId } from '@/lib/operations/service-operations'
import type { ScopedAccount } from '@/lib/server/auth/scoped-account'
import { getErrorCode } from '@/lib/server/error-code'
import { log } from '@/lib/server/log'
import { cacheAnswerAccount, storeAnswer } from '@/lib/server/mirror/store-answer'
import { sha256 } from '@/lib/server/store/hashes'
import { type ParsedAnswer, requireReadResult } from './answer'
import { type SendResult, sendRequest } from './client'
import { waitForWrites } from './rate-limit'
import { createRequestId, toServiceRequest } from './request'

/**
 * Returns an error handler for a read before a write. It turns a failure of the read into
 * `not_sent`, because the write was not sent. Otherwise the page would show that the outcome of the
 * write is unknown. `what` names the thing that could not be read.
 */
export function createNotSentHandler(what: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof AppError) || cause.code !== 'service_failed') throw cause
    throw new AppError('not_sent', `${what} could not be read. Nothing was sent: try again`, {
      requestId: cause.requestId,
      cause,
    })
  }
}

/**
 * Maximum number of parallel calls to the service for one incoming request. It is low because all
 * calls share the platform's rate limit.
 */
export const maxParallelCalls = 4

/**
 * Runs the work for each item, a few at a time. Returns the results in the order of the items.
 * Throws the first failure at once and does not start the remaining items.
 */
export async function mapLimited<T, R>(
  items: Iterable<T>,
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const limit = pLimit(maxParallelCalls)
  try {
    return await limit.map(items, work)
  } catch (error) {
    limit.clearQueue()
    throw error
  }
}

/**
 * Result of a read: the data that the browser may see, and its metadata. `snapshot` is the hash of
 * the data if that is a single object.
 */
export type ServiceReadResult<K extends ReadId> = {
  data: Output<K>
  meta: Answer<unknown>['meta'] & { read_at: string; snapshot?: string }
}

/**
 * Returns the hash of an object as a page shows it. A write sends the hash, so that the server can
 * detect that the object has changed since.
 */
export const hashSnapshot = (data: unknown): string => sha256(canonicalize(data) ?? '')

/**
 * Removes the rows that do not match the search, for operations with `checksFilter`. If any row is
 * removed, also removes the total, because the service included that row in it.
 */
function dropContradictingRows(
  id: ReadId,
  input: unknown,
  parsed: ParsedAnswer,
): ParsedAnswer & { leftOut?: number } {
  if (!getServiceOperation(id).checksFilter) return parsed
  const rows = parsed.data as PaymentSummary[]
  const data = rows.filter((row) => !contradictsFilter(input as Partial<PaymentsFilter>, row))
  if (data.length === rows.length) return parsed
  const { total_items: _, ...page } = parsed.page
  return { ...parsed, data, page, leftOut: rows.length - data.length }
}

function requireResult(id: ReadId, sent: SendResult, requestId: string): ParsedAnswer {
  try {
    return requireReadResult(id, sent, requestId)
  } catch (error) {
    if (error instanceof AppError) error.attempts = sent.attempts
    throw error
  }
}

/**
 * Calls a read operation of the service for the account in `scope`. `input` must be parsed by the
 * operation's schema. Throws an `AppError` unless the response is a readable success.
 */
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
  const parsed = dropContradictingRows(id, input, requireResult(id, sendResult, requestId))
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
 * Reads like `fetchFromService`. Also stores the objects in the mirror, our copy of the service's
 * data, in the background. If storing fails, the read still succeeds.
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
  const account = getServiceOperation(id).scope === 'forbidden' ? null : scope.accountId
  if (account) cacheAnswerAccount(id, readResult.data, environment, account)
  const hasMetadata = (input as { include_metadata?: boolean }).include_metadata === true
  void waitForWrites()
    .then(() =>
      storeAnswer(id, readResult.data, {
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
