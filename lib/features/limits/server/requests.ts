import 'server-only'
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type LimitedPaymentType, type LimitSet, toLimitSet } from '@/lib/domain/limit-labels'
import { isFieldUnreadable, whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { AppError, createFieldError, type WireError } from '@/lib/errors'
import {
  findCapabilityRequest,
  isCompleteRead,
  type LimitRequestFacts,
  type LimitRequestView,
  type LimitUses,
  limitRequestStates,
  trackLimitRequest,
} from '@/lib/features/limits/tracking'
import type { AccountSettings } from '@/lib/operations/accounts.schema'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { Environment } from '@/lib/operations/define'
import type { PageContext } from '@/lib/operations/page-context'
import { schemasByOperation } from '@/lib/operations/registry'
import {
  formatAccountId,
  getGrantedAccounts,
  requireScope,
  type ScopedAccount,
  tryParseAccountId,
} from '@/lib/server/auth/scoped-account'
import { getCurrentActor } from '@/lib/server/auth/session'
import type { Actor } from '@/lib/server/auth/session-rows'
import { authorizeCall } from '@/lib/server/http/authorize'
import type { OperationRuns } from '@/lib/server/http/desk-call'
import { readList } from '@/lib/server/http/operation-reads'
import { toReadFailure } from '@/lib/server/http/read'
import { readMirrorRows } from '@/lib/server/mirror/query'
import { mapLimited, readService } from '@/lib/server/service/service-read'
import { actions } from '@/lib/server/store/schema/actions'
import { limitRequests } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { readScopeLimitUses } from './use'

type StoredRequest = {
  row: typeof limitRequests.$inferSelect
  action: Pick<typeof actions.$inferSelect, 'id' | 'state' | 'mentions'> | null
  by: string
}

/** Each is null if not all of it could be read at the service. */
type PartialLimitState = {
  limits: Record<LimitedPaymentType, LimitSet> | null
  capabilities: readonly CapabilityRequest[] | null
}

const selectLimitRequests = (db: Db) =>
  db
    .select({
      row: limitRequests,
      action: { id: actions.id, state: actions.state, mentions: actions.mentions },
      by: people.name,
    })
    .from(limitRequests)
    .innerJoin(people, eq(people.id, limitRequests.askedBy))
    .leftJoin(actions, eq(actions.id, limitRequests.actionId))

async function readAccountRequests(
  environment: Environment,
  accountId: string,
): Promise<StoredRequest[]> {
  return selectLimitRequests(await getDatabase())
    .where(and(eq(limitRequests.environment, environment), eq(limitRequests.accountId, accountId)))
    .orderBy(desc(limitRequests.createdAt))
    .limit(50)
}

/** `accounts` null means all accounts. */
async function readOpenRequests(
  environment: Environment,
  accounts: readonly string[] | null,
): Promise<StoredRequest[]> {
  if (accounts?.length === 0) return []
  const accountsCondition = accounts ? inArray(limitRequests.accountId, [...accounts]) : undefined
  return selectLimitRequests(await getDatabase())
    .where(
      and(
        eq(limitRequests.environment, environment),
        isNull(limitRequests.closedAt),
        accountsCondition,
      ),
    )
    .orderBy(limitRequests.createdAt)
    .limit(100)
}

function toRequestFacts(
  { row, action }: StoredRequest,
  capability: CapabilityRequest | null,
  { limits }: PartialLimitState,
): LimitRequestFacts {
  return {
    before: row.before as LimitSet,
    asked: row.asked as LimitSet,
    askedAt: row.createdAt.toISOString(),
    action: action?.state ?? 'applied',
    capability: capability?.status ?? null,
    now: limits?.[row.paymentType] ?? null,
    appliedAt: row.appliedAt?.toISOString() ?? null,
  }
}

const parseEndState = (storedState: string | null) =>
  limitRequestStates.find((state) => state === storedState)

/** Once the end of a request is recorded, later changes of the settings do not change its state. */
function toRequestView(
  storedRequest: StoredRequest,
  state: PartialLimitState,
  currentPersonId: string,
  now: number,
): LimitRequestView {
  const { row, action, by } = storedRequest
  const capabilityRequest = findCapabilityRequest({ ...row, action }, state.capabilities)
  const tracking = trackLimitRequest(toRequestFacts(storedRequest, capabilityRequest, state), now)
  const endState = row.closedAt && parseEndState(row.closedAs)
  return {
    id: row.id,
    account: formatAccountId(row.accountId),
    type: row.paymentType,
    before: row.before as LimitSet,
    asked: row.asked as LimitSet,
    justification: row.justification,
    asked_by: by,
    own: row.askedBy === currentPersonId,
    created_at: row.createdAt.toISOString(),
    action: action && { id: action.id, state: action.state },
    capability: capabilityRequest && { id: capabilityRequest.id, status: capabilityRequest.status },
    tracking: endState ? { ...tracking, state: endState, isOpen: false } : tracking,
    closed_at: row.closedAt?.toISOString() ?? null,
    note:
      state.limits && state.capabilities
        ? null
        : 'The service cannot be reached; showing the last known state.',
  }
}

/** A stored end never changes, and permits another request. */
async function storeEndedRequests(db: Db, views: readonly LimitRequestView[]): Promise<void> {
  for (const { id, tracking, closed_at } of views) {
    if (closed_at !== null || tracking.isOpen) continue
    const appliedColumns = tracking.state === 'applied' ? { appliedAt: sql`now()` } : {}
    await db
      .update(limitRequests)
      .set({ closedAt: sql`now()`, closedAs: tracking.state, ...appliedColumns })
      .where(and(eq(limitRequests.id, id), isNull(limitRequests.closedAt)))
  }
}

export type AccountLimitState = {
  settings: AccountSettings
  capabilities: readonly CapabilityRequest[]
  /** True if every capability request could be parsed and has a type and a state. */
  whole: boolean
  snapshot: string | undefined
}

function requireAccountId({ accountId }: ScopedAccount): string {
  if (!accountId) throw createFieldError('account', 'Name the account whose limits this is about.')
  return accountId
}

const newestFirstPaging = { page_size: 100, sort_by: 'created_at', sort_order: 'desc' } as const

export async function readLimitsAtService(scope: ScopedAccount): Promise<AccountLimitState> {
  const [settings, capabilities] = await Promise.all([
    readService('account_settings.get', { id: requireAccountId(scope) }, scope),
    readService('capability_requests.list', newestFirstPaging, scope),
  ])
  return {
    settings: settings.data,
    capabilities: capabilities.data,
    whole: isCompleteRead(capabilities),
    snapshot: settings.meta.snapshot,
  }
}

/** A value is null if not all of it could be parsed. */
export const toPartialLimitState = ({
  settings,
  capabilities,
  whole,
}: AccountLimitState): PartialLimitState => ({
  limits: whyFieldsUnreadable('capability_requests.create', settings)
    ? null
    : { charges: toLimitSet(settings.charges), payouts: toLimitSet(settings.payouts) },
  capabilities: whole ? capabilities : null,
})

/** The mirror, our copy of the service's data, may be outdated: use it for lists only. */
async function readMirroredLimitState(
  actor: Actor,
  scope: ScopedAccount,
): Promise<PartialLimitState> {
  const [[account], capabilities] = await Promise.all([
    readMirrorRows(actor, 'accounts.list', [requireAccountId(scope)], scope),
    readList(
      actor,
      'capability_requests.list',
      schemasByOperation['capability_requests.list'].input.parse(newestFirstPaging),
      scope,
    ),
  ])
  const accountSettings = isFieldUnreadable(account?.object, 'settings')
    ? undefined
    : account?.object.settings
  const limits = accountSettings
    ? { charges: toLimitSet(accountSettings.charges), payouts: toLimitSet(accountSettings.payouts) }
    : null
  return { limits, capabilities: isCompleteRead(capabilities) ? capabilities.data : null }
}

const unreadLimitState: PartialLimitState = { limits: null, capabilities: null }

/** Returns the requests, newest first. Stores the end of those that have ended. */
export async function trackLimitRequests(
  scope: ScopedAccount,
  currentPersonId: string,
  state: PartialLimitState,
): Promise<LimitRequestView[]> {
  const storedRequests = await readAccountRequests(scope.environment, requireAccountId(scope))
  const requestViews = storedRequests.map((each) =>
    toRequestView(each, state, currentPersonId, Date.now()),
  )
  await storeEndedRequests(await getDatabase(), requestViews)
  return requestViews
}

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

async function loadRequestsUsing(
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
  loadRequestsUsing(context, async (actor) =>
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
  const views = openRequests.map((kept) =>
    toRequestView(
      kept,
      limitStateByAccount.get(kept.row.accountId) ?? unreadLimitState,
      actor.id,
      Date.now(),
    ),
  )
  await storeEndedRequests(await getDatabase(), views)
  return views
}

export const loadOpenLimitRequests = (context: PageContext): Promise<LoadedLimitRequests> =>
  loadRequestsUsing(context, (actor) => listOpenLimitRequests(actor, context.environment))

export const limitRuns: OperationRuns<'limit_requests.list' | 'limit_requests.use'> = {
  'limit_requests.list': async ({ scope, actor }) => ({
    data: await listLimitRequests(scope, actor),
  }),
  'limit_requests.use': async ({ actor, scope }) => ({
    data: await readScopeLimitUses(scope, actor),
  }),
}
