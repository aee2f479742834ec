import { queryOptions } from '@tanstack/react-query'
import type { CallError } from '@/lib/client/call-error'
import type { DeskScope } from '@/lib/client/desk'
import { type CallAnswer, request } from '@/lib/client/request'
import type { LimitRequestView, LimitUses } from '@/lib/domain/limit-request'
import { limitRequestsApiPath } from '@/lib/routes'

/** An account's limits are read in its own scope, whatever scope the page came with. */
export type AccountScope = DeskScope & { account: string }

/** Keys begin as those of every read do, so that a write that makes capability requests stale reads these again too. */
const keyOf = ({ environment, account }: AccountScope, what: string) => [environment, account, 'capability_requests', what]

/** The requests for other limits, as they stand. */
export const readLimitRequests = (scope: AccountScope) =>
  queryOptions<CallAnswer<LimitRequestView[]>, CallError>({
    queryKey: keyOf(scope, 'limit-requests'),
    queryFn: ({ signal }) => request(limitRequestsApiPath(scope.environment, scope.account), { method: 'GET', signal }),
  })

/** What is used of the limits. The server adds up at most once a minute, so a reading is believed as long here. */
export const readLimitUse = (scope: AccountScope) =>
  queryOptions<CallAnswer<LimitUses>, CallError>({
    queryKey: keyOf(scope, 'limit-use'),
    queryFn: ({ signal }) => request(limitRequestsApiPath(scope.environment, scope.account, 'use'), { method: 'GET', signal }),
    staleTime: 60_000,
  })
