import { call } from '@/lib/client/call'
import type { CallScope } from '@/lib/client/page-context'
import { read } from '@/lib/client/query/reads'
import type { LimitRequestView, LimitUses } from '@/lib/features/limits/tracking'

/** A scope with an account: limits are always read in the account's own scope, whatever the page's scope is. */
export type AccountScope = CallScope & { account: string }

export const readLimitRequests = (scope: AccountScope) => read<'limit_requests.list', LimitRequestView[]>(scope, 'limit_requests.list', {})

/** Reads the usage of the limits. The server recalculates at most once a minute, so `staleTime` is the same. */
export const readLimitUse = (scope: AccountScope) => ({
  ...read<'limit_requests.use', LimitUses>(scope, 'limit_requests.use', {}),
  staleTime: 60_000,
})

/** Reads the newest capability requests live from the service, because an open one blocks another. */
export const readCapabilities = (scope: AccountScope) => {
  const newest = { page_size: 50, sort_by: 'created_at', sort_order: 'desc' } as const
  return {
    ...read(scope, 'capability_requests.list', newest),
    queryFn: ({ signal }: { signal: AbortSignal }) => call('capability_requests.list', newest, { ...scope, signal, live: true }),
  }
}
