import { call } from '@/lib/client/call'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import type { LimitRequestView, LimitUses } from '@/lib/features/limits/tracking'

/** Every account has its own limits, so the account is required. */
export type AccountScope = CallScope & { account: string }

export const buildLimitRequestsQuery = (scope: AccountScope) =>
  operationQuery<'limit_requests.list', LimitRequestView[]>(scope, 'limit_requests.list', {})

/**
 * Query of how much of each limit is used. The server computes this from many payments, so a result
 * is reused for one minute.
 */
export const buildLimitUseQuery = (scope: AccountScope) => ({
  ...operationQuery<'limit_requests.use', LimitUses>(scope, 'limit_requests.use', {}),
  staleTime: 60_000,
})

/**
 * Query of the account's newest capability requests, which ask the service for other limits. `live`
 * reads them from the service and not from our stored copy: an open request blocks a new one, so
 * the list must be current.
 */
export const buildCapabilitiesQuery = (scope: AccountScope) => {
  const newestFirstInput = { page_size: 50, sort_by: 'created_at', sort_order: 'desc' } as const
  return {
    ...operationQuery(scope, 'capability_requests.list', newestFirstInput),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call('capability_requests.list', newestFirstInput, { ...scope, signal, live: true }),
  }
}
