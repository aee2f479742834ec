import 'server-only'
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type LimitedPaymentType, type LimitSet, toLimitSet } from '@/lib/domain/limit-labels'
import { isFieldUnreadable, whyFieldsUnreadable } from '@/lib/domain/unreadable-rules'
import { AppError, createFieldError, type WireError } from '@/lib/errors'
import {
  findCapabilityRequest,
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

/** A stored request, its action, and the name of its requester (`by`). */
type StoredRequest = {
  row: typeof limitRequests.$inferSelect
  action: Pick<typeof actions.$inferSelect, 'id' | 'state' | 'mentions'> | null
  by: string
}

/**
 * The limits in force and the capability requests of one account at the service. Each is null if
 * not all of it could be read.
 */
type PartialServiceState = {
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

/** Returns the last 50 requests of one account, newest first. */
async function readAccountRequests(
  environment: Environment,
  accountId: string,
): Promise<StoredRequest[]> {
  return selectLimitRequests(await getDatabase())
    .where(and(eq(limitRequests.environment, environment), eq(limitRequests.accountId, accountId)))
    .orderBy(desc(limitRequests.createdAt))
    .limit(50)
}

/**
 * Returns up to 100 open requests of an environment, oldest first. `accounts` null means all
 * accounts.
 */
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
  { limits }: PartialServiceState,
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

/**
 * Returns a stored request as screens show it. Once its end is recorded, later changes of the
 * settings do not change its state.
 */
function toRequestView(
  storedRequest: StoredRequest,
  state: PartialServiceState,
  currentPersonId: string,
  now: number,
): LimitRequestView {
  const { row, action, by } = storedRequest
  const capability = findCapabilityRequest({ ...row, action }, state.capabilities)
  const tracking = trackLimitRequest(toRequestFacts(storedRequest, capability, state), now)
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
    capability: capability && { id: capability.id, status: capability.status },
    tracking: endState ? { ...tracking, state: endState, isOpen: false } : tracking,
    closed_at: row.closedAt?.toISOString() ?? null,
    note:
      state.limits && state.capabilities
        ? null
        : 'The service cannot be reached; showing the last known state.',
  }
}

/**
 * Stores the end of each request that has ended, so that another request can be made. A stored end
 * never changes.
 */
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

/** The settings and capability requests of one account, as the service returned them. */
export type ServiceState = {
  settings: AccountSettings
  capabilities: readonly CapabilityRequest[]
  /** True if every capability request could be parsed and has a type and a state. */
  whole: boolean
  snapshot: string | undefined
}

/** Returns the account of a scope. Throws `invalid_input` if the scope has none. */
function requireAccount({ accountId }: ScopedAccount): string {
  if (!accountId) throw createFieldError('account', 'Name the account whose limits this is about.')
  return accountId
}

const newestFirstPaging = { page_size: 100, sort_by: 'created_at', sort_order: 'desc' } as const

type RequestsRead = { data: readonly CapabilityRequest[]; meta: { unreadable_rows?: unknown } }

const isCompleteRead = ({ data, meta }: RequestsRead): boolean =>
  !meta.unreadable_rows && data.every(({ type, status }) => type !== '' && status !== '')

/** Reads the settings in force and the capability requests of an account. Throws read errors. */
export async function readServiceState(scope: ScopedAccount): Promise<ServiceState> {
  const [settings, capabilities] = await Promise.all([
    readService('account_settings.get', { id: requireAccount(scope) }, scope),
    readService('capability_requests.list', newestFirstPaging, scope),
  ])
  return {
    settings: settings.data,
    capabilities: capabilities.data,
    whole: isCompleteRead(capabilities),
    snapshot: settings.meta.snapshot,
  }
}

/**
 * Returns the part of the service's data that determines the states of limit requests. A value is
 * null if not all of it could be parsed.
 */
export const toPartialState = ({
  settings,
  capabilities,
  whole,
}: ServiceState): PartialServiceState => ({
  limits: whyFieldsUnreadable('capability_requests.create', settings)
    ? null
    : { charges: toLimitSet(settings.charges), payouts: toLimitSet(settings.payouts) },
  capabilities: whole ? capabilities : null,
})

/**
 * Returns the limits and capability requests from the mirror, the local copy of the service's data.
 * They may be outdated, so they are only for lists on which no decision is based. Throws database
 * errors.
 */
async function readMirroredState(actor: Actor, scope: ScopedAccount): Promise<PartialServiceState> {
  const [[account], capabilities] = await Promise.all([
    readMirrorRows(actor, 'accounts.list', [requireAccount(scope)], scope),
    readList(
      actor,
      'capability_requests.list',
      schemasByOperation['capability_requests.list'].input.parse(newestFirstPaging),
      scope,
    ),
  ])
  const settings = isFieldUnreadable(account?.object, 'settings')
    ? undefined
    : account?.object.settings
  const limits = settings
    ? { charges: toLimitSet(settings.charges), payouts: toLimitSet(settings.payouts) }
    : null
  return { limits, capabilities: isCompleteRead(capabilities) ? capabilities.data : null }
}

const unreadState: PartialServiceState = { limits: null, capabilities: null }

/**
 * Returns the limit requests of one account, newest first. Stores the end of those that have ended.
 */
export async function trackLimitRequests(
  scope: ScopedAccount,
  currentPersonId: string,
  state: PartialServiceState,
): Promise<LimitRequestView[]> {
  const storedRequests = await readAccountRequests(scope.environment, requireAccount(scope))
  const views = storedRequests.map((each) =>
    toRequestView(each, state, currentPersonId, Date.now()),
  )
  await storeEndedRequests(await getDatabase(), views)
  return views
}

/**
 * Returns the limit requests of the scope's account; the caller must have checked the permission.
 * If the service cannot be read, the states are the last known ones.
 */
async function listLimitRequests(scope: ScopedAccount, actor: Actor): Promise<LimitRequestView[]> {
  const storedRequests = await readAccountRequests(scope.environment, requireAccount(scope))
  if (storedRequests.length === 0) return []
  const state = await readServiceState(scope).then(toPartialState, () => unreadState)
  return trackLimitRequests(scope, actor.id, state)
}

type LoadedRequests =
  | { ok: true; requests: LimitRequestView[]; readAt: string }
  | { ok: false; error: WireError; requestId: string }

async function loadRequests(
  context: PageContext,
  work: (actor: Actor) => Promise<LimitRequestView[]>,
): Promise<LoadedRequests> {
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

/**
 * Returns the scope in which a person may see the limits of an account. Throws `forbidden` and
 * `invalid_input`.
 */
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

/**
 * Returns the requests of the page's account for server rendering. Errors are returned, not thrown.
 */
export const loadLimitRequests = (context: PageContext): Promise<LoadedRequests> =>
  loadRequests(context, async (actor) =>
    listLimitRequests(await requireLimitScope(actor, context), actor),
  )

/**
 * Returns how much of the limits of the page's account is used, for server rendering. Null without
 * a session or without the permission.
 */
export async function loadLimitUses(
  context: PageContext,
): Promise<{ uses: LimitUses; readAt: string } | null> {
  const actor = await getCurrentActor()
  const scope = actor && (await requireLimitScope(actor, context).catch(() => null))
  return scope && { uses: await readScopeLimitUses(scope, actor), readAt: new Date().toISOString() }
}

/**
 * Returns the open requests of all accounts that the person may see, oldest first. Their state
 * comes from the mirror.
 */
export async function listOpenLimitRequests(
  actor: Actor,
  environment: Environment,
): Promise<LimitRequestView[]> {
  const grantedAccounts = getGrantedAccounts(actor.grants, environment)
  const openRequests = await readOpenRequests(environment, grantedAccounts)
  const accountIds = [...new Set(openRequests.map(({ row }) => row.accountId))]
  const stateByAccount = new Map(
    await mapLimited(
      accountIds,
      async (accountId) =>
        [
          accountId,
          await readMirroredState(actor, requireScope(actor, environment, accountId)),
        ] as const,
    ),
  )
  const views = openRequests.map((kept) =>
    toRequestView(
      kept,
      stateByAccount.get(kept.row.accountId) ?? unreadState,
      actor.id,
      Date.now(),
    ),
  )
  await storeEndedRequests(await getDatabase(), views)
  return views
}

export const loadOpenLimitRequests = (context: PageContext): Promise<LoadedRequests> =>
  loadRequests(context, (actor) => listOpenLimitRequests(actor, context.environment))

/**
 * Runs the operations on the limits of one account: its requests, newest first, and how much of the
 * limits is used.
 */
export const limitRuns: OperationRuns<'limit_requests.list' | 'limit_requests.use'> = {
  'limit_requests.list': async ({ scope, actor }) => ({
    data: await listLimitRequests(scope, actor),
  }),
  'limit_requests.use': async ({ actor, scope }) => ({
    data: await readScopeLimitUses(scope, actor),
  }),
}
