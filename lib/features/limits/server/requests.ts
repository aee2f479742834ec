import 'server-only'
import { AppError, type WireError } from '@/lib/errors'
import type { LimitRequestView, LimitUses } from '@/lib/features/limits/tracking'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import {
  getGrantedAccounts,
  requireScope,
  type ScopedAccount,
  tryParseAccountId,
} from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { authorizeCall } from '@/lib/server/http/authorize'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { toReadFailure } from '@/lib/server/http/read'
import { mapLimited } from '@/lib/server/service/service-read'
import { getDatabase } from '@/lib/server/store/store'
import {
  readLimitsAtService,
  readMirroredLimitState,
  requireAccountId,
  toPartialLimitState,
  unreadLimitState,
} from './limit-state'
import {
  readAccountRequests,
  readOpenRequests,
  storeEndedRequests,
  toRequestView,
  trackLimitRequests,
} from './stored-requests'
import { readScopeLimitUses } from './use'

/** The caller must check the permission. If the service fails, the states are the last known. */
async function listLimitRequests(scope: ScopedAccount, actor: Actor): Promise<LimitRequestView[]> {
  const storedRequests = await readAccountRequests(scope.environment, requireAccountId(scope))
  if (storedRequests.length === 0) return []
  const limitState = await readLimitsAtService(scope).then(
    toPartialLimitState,
    () => unreadLimitState,
  )
  return trackLimitRequests(scope, actor.id, limitState)
}

type LoadedLimitRequests =
  | { ok: true; requests: LimitRequestView[]; readAt: string }
  | { ok: false; error: WireError; requestId: string }

async function loadRequestsForActor(
  context: PageContext,
  work: (actor: Actor) => Promise<LimitRequestView[]>,
): Promise<LoadedLimitRequests> {
  const actor = await getCurrentActor()
  try {
    if (!actor) throw new AppError('unauthenticated', 'Your session has ended: sign in again')
    return { ok: true, requests: await work(actor), readAt: new Date().toISOString() }
  } catch (error) {
    return toReadFailure(error, {
      name: 'capability_requests.list',
      actor,
      environment: context.environment,
      account: tryParseAccountId(context.account),
    })
  }
}

/** Throws `forbidden` and `invalid_input`. */
export const requireLimitScope = (
  actor: Actor,
  { environment, account }: Pick<PageContext, 'environment' | 'account'>,
): Promise<ScopedAccount> =>
  authorizeCall(actor, {
    environment,
    operation: 'capability_requests.list',
    account,
    target: null,
  })

/** Errors are returned, not thrown. */
export const loadLimitRequests = (context: PageContext): Promise<LoadedLimitRequests> =>
  loadRequestsForActor(context, async (actor) =>
    listLimitRequests(await requireLimitScope(actor, context), actor),
  )

/** Null without a session or without the permission. */
export async function loadLimitUses(
  context: PageContext,
): Promise<{ uses: LimitUses; readAt: string } | null> {
  const actor = await getCurrentActor()
  const scope = actor && (await requireLimitScope(actor, context).catch(() => null))
  return scope && { uses: await readScopeLimitUses(scope, actor), readAt: new Date().toISOString() }
}

/** Includes all accounts that the person may see, oldest first. The states come from the mirror. */
export async function listOpenLimitRequests(
  actor: Actor,
  environment: Environment,
): Promise<LimitRequestView[]> {
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  const openRequests = await readOpenRequests(environment, grantedAccounts)
  const accountIds = [...new Set(openRequests.map(({ row }) => row.accountId))]
  const limitStateByAccount = new Map(
    await mapLimited(
      accountIds,
      async (accountId) =>
        [
          accountId,
          await readMirroredLimitState(actor, requireScope(actor, environment, accountId)),
        ] as const,
    ),
  )
  const requestViews = openRequests.map((kept) =>
    toRequestView(
      kept,
      limitStateByAccount.get(kept.row.accountId) ?? unreadLimitState,
      actor.id,
      Date.now(),
    ),
  )
  await storeEndedRequests(await getDatabase(), requestViews)
  return requestViews
}

export const loadOpenLimitRequests = (context: PageContext): Promise<LoadedLimitRequests> =>
  loadRequestsForActor(context, (actor) => listOpenLimitRequests(actor, context.environment))

export const limitHandlers: DeskOperationHandlers<'limit_requests.list' | 'limit_requests.use'> = {
  'limit_requests.list': async ({ scope, actor }) => ({
    data: await listLimitRequests(scope, actor),
  }),
  'limit_requests.use': async ({ actor, scope }) => ({
    data: await readScopeLimitUses(scope, actor),
  }),
}
