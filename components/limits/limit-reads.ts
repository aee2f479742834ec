import type { CallScope } from '@/lib/client/page-context'
import { read } from '@/lib/client/queries'
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
