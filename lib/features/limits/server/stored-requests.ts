import 'server-only'
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { LimitSet } from '@/lib/domain/limit-labels'
import {
  findCapabilityRequest,
  type LimitRequestFacts,
  type LimitRequestView,
  limitRequestStates,
  trackLimitRequest,
} from '@/lib/features/limits/tracking'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { Environment } from '@/lib/operations/define'
import { formatAccountId, type ScopedAccount } from '@/lib/server/auth/scoped-account'
import { actions } from '@/lib/server/store/schema/actions'
import { limitRequests } from '@/lib/server/store/schema/desk'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { type PartialLimitState, requireAccountId } from './limit-state'

type StoredLimitRequest = {
  row: typeof limitRequests.$inferSelect
  action: Pick<typeof actions.$inferSelect, 'id' | 'state' | 'mentions'> | null
  by: string
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

export async function readAccountRequests(
  environment: Environment,
  accountId: string,
): Promise<StoredLimitRequest[]> {
  return selectLimitRequests(await getDatabase())
    .where(and(eq(limitRequests.environment, environment), eq(limitRequests.accountId, accountId)))
    .orderBy(desc(limitRequests.createdAt))
    .limit(50)
}

/** `accounts` null means all accounts. */
export async function readOpenRequests(
  environment: Environment,
  accounts: readonly string[] | null,
): Promise<StoredLimitRequest[]> {
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
  { row, action }: StoredLimitRequest,
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
export function toRequestView(
  storedRequest: StoredLimitRequest,
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

/**
 * Stores the end of each request that has ended. A stored end never changes, and permits another
 * request.
 */
export async function storeEndedRequests(
  db: Db,
  views: readonly LimitRequestView[],
): Promise<void> {
  for (const { id, tracking, closed_at } of views) {
    if (closed_at !== null || tracking.isOpen) continue
    const appliedColumns = tracking.state === 'applied' ? { appliedAt: sql`now()` } : {}
    await db
      .update(limitRequests)
      .set({ closedAt: sql`now()`, closedAs: tracking.state, ...appliedColumns })
      .where(and(eq(limitRequests.id, id), isNull(limitRequests.closedAt)))
  }
}

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
