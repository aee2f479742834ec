import 'server-only'
import canonicalize from 'canonicalize'
import type { PageMeta } from '@/lib/operations/answer'
import { toRequest } from '@/lib/operations/http'
import type { Input, Output } from '@/lib/operations/registry'
import { type ReadId, resourceOf, rowOf } from '@/lib/operations/rows'
import { learnAccounts } from '@/lib/server/account-index'
import { log } from '@/lib/server/log'
import { newRequestId } from '@/lib/server/request-id'
import type { ScopedAccount } from '@/lib/server/scoped-account'
import { readResult } from '@/lib/server/service/answer'
import { send } from '@/lib/server/service/client'
import { sha256 } from '@/lib/server/sha256'

/** What a read gives: the data as the browser may see it, and the figures that belong to it. `snapshot` is the hash of a single object. */
export type Read<K extends ReadId> = {
  data: Output<K>
  meta: Partial<PageMeta> & { request_id: string; read_at: string; api_request_id?: string; snapshot?: string }
}

/** The hash of an object as it is shown; an action carries it to say what the person saw. */
export const snapshotOf = (data: unknown): string => sha256(canonicalize(data) ?? '')

type Found = { id?: string; payment_type?: string }

/** The reads whose answers are the objects themselves. */
const learning = /\.get$|^(?:customers|paykeys|funding_events)\.list$/

/** The objects an answer proves to be in its scope, as `<resource>/<id>`. */
function targetsIn(id: ReadId, data: unknown): string[] {
  if (id === 'payments.search') return (data as Found[]).flatMap((row) => (row.id ? [`${row.payment_type}s/${row.id}`] : []))
  if (!learning.test(id)) return []
  return [data as Found | Found[]].flat().flatMap((row) => (row.id ? [`${resourceOf(id)}/${row.id}`] : []))
}

/**
 * Reads from the service in a checked scope; `input` was parsed by the operation's schema. Throws one typed `AppError` for everything that is
 * not a readable success. What a scoped answer proves about accounts is remembered; failing at that does not fail the read.
 */
export async function readService<K extends ReadId>(id: K, input: Input<K>, scope: ScopedAccount, signal?: AbortSignal): Promise<Read<K>> {
  const requestId = newRequestId()
  const { method, path, query } = toRequest(id, input as Record<string, unknown>)
  const sent = await send({ operation: id, method, path: `/v1${path}`, query, scope, requestId, ...(signal ? { signal } : {}) })
  const parsed = readResult(id, sent, requestId)
  if (scope.accountId && rowOf(id).scope !== 'forbidden') {
    void learnAccounts(scope.environment, targetsIn(id, parsed.data), scope.accountId).catch(() =>
      log.warn({ event: 'account.not_learnt' }),
    )
  }
  const meta: Read<K>['meta'] = { ...parsed.page, request_id: requestId, read_at: new Date().toISOString() }
  if (parsed.apiRequestId) meta.api_request_id = parsed.apiRequestId
  if (!Array.isArray(parsed.data)) meta.snapshot = snapshotOf(parsed.data)
  return { data: parsed.data as Output<K>, meta }
}
