import { call } from '@/lib/client/call'
import type { CallScope } from '@/lib/client/page-context'
import { read } from '@/lib/client/query/reads'
import type { LimitRequestView, LimitUses } from '@/lib/features/limits/tracking'

/** An account's limits are read in its own scope, whatever scope the page came with. */
export type AccountScope = CallScope & { account: string }

/** The requests for other limits, as they are. */
export const readLimitRequests = (scope: AccountScope) => read<'limit_requests.list', LimitRequestView[]>(scope, 'limit_requests.list', {})

/** What is used of the limits. The server adds up at most once a minute, so a reading is believed as long here. */
export const readLimitUse = (scope: AccountScope) => ({
  ...read<'limit_requests.use', LimitUses>(scope, 'limit_requests.use', {}),
  staleTime: 60_000,
})

/** The newest capability requests, as the service has them now: what is open closes the way to another. */
export const readCapabilities = (scope: AccountScope) => {
  const newest = { page_size: 50, sort_by: 'created_at', sort_order: 'desc' } as const
  return {
    ...read(scope, 'capability_requests.list', newest),
    queryFn: ({ signal }: { signal: AbortSignal }) => call('capability_requests.list', newest, { ...scope, signal, live: true }),
  }
}
