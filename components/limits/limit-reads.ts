import { call } from '@/lib/client/call'
import type { CallScope } from '@/lib/client/page-context'
import { operationQuery } from '@/lib/client/query/reads'
import type { LimitRequestView, LimitUses } from '@/lib/features/limits/tracking'

/** A scope with an account. Limits are always read in the account's own scope, even if the page shows the whole platform. */
export type AccountScope = CallScope & { account: string }

export const buildLimitRequestsQuery = (scope: AccountScope) =>
  operationQuery<'limit_requests.list', LimitRequestView[]>(scope, 'limit_requests.list', {})

/** Reads the usage of the limits. The server calculates it at most once a minute, so it is stale after a minute. */
export const buildLimitUseQuery = (scope: AccountScope) => ({
  ...operationQuery<'limit_requests.use', LimitUses>(scope, 'limit_requests.use', {}),
  staleTime: 60_000,
})

/** Reads the newest capability requests, from the service and not from the mirror, because an open one blocks another. */
export const buildCapabilitiesQuery = (scope: AccountScope) => {
  const newestFirstInput = { page_size: 50, sort_by: 'created_at', sort_order: 'desc' } as const
  return {
    ...operationQuery(scope, 'capability_requests.list', newestFirstInput),
    queryFn: ({ signal }: { signal: AbortSignal }) => call('capability_requests.list', newestFirstInput, { ...scope, signal, live: true }),
  }
}
