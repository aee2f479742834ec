import 'server-only'
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { LimitRequestView } from '@/lib/domain/limit-request'
import { type RequestFacts, requestStates, trackRequest } from '@/lib/domain/limit-tracking'
import type { LimitSet, LimitType } from '@/lib/domain/limit-words'
import type { CapabilityRequest } from '@/lib/operations/capability-requests.schema'
import type { Environment } from '@/lib/operations/define'
import { accountText } from './scoped-account'
import { limitRequests } from './store/desk-schema'
import { actions, people } from './store/schema'
import { type Db, database } from './store/store'

/** A kept request with the action it was sent by and who asked. */
export type KeptRequest = {
  row: typeof limitRequests.$inferSelect
  action: Pick<typeof actions.$inferSelect, 'id' | 'state' | 'mentions'> | null
  by: string
}

/** What the service says now of one account: the limits in force, its capability requests; null where it could not be read. */
export type Standing = { limits: Record<LimitType, LimitSet> | null; capabilities: readonly CapabilityRequest[] | null }

const joined = (db: Db) =>
  db
    .select({ row: limitRequests, action: { id: actions.id, state: actions.state, mentions: actions.mentions }, by: people.name })
    .from(limitRequests)
    .innerJoin(people, eq(people.id, limitRequests.askedBy))
    .leftJoin(actions, eq(actions.id, limitRequests.actionId))

/** The requests of one account, newest first; the last fifty. */
export async function requestsOf(environment: Environment, accountId: string): Promise<KeptRequest[]> {
  return joined(await database())
    .where(and(eq(limitRequests.environment, environment), eq(limitRequests.accountId, accountId)))
    .orderBy(desc(limitRequests.createdAt))
    .limit(50)
}

/** The open requests of an environment, oldest first, of the accounts named; null is all of them. */
export async function openRequestsOf(environment: Environment, accounts: readonly string[] | null): Promise<KeptRequest[]> {
  if (accounts?.length === 0) return []
  const own = accounts ? inArray(limitRequests.accountId, [...accounts]) : undefined
  return joined(await database())
    .where(and(eq(limitRequests.environment, environment), isNull(limitRequests.closedAt), own))
    .orderBy(limitRequests.createdAt)
    .limit(100)
}

/**
 * The service's own request: the one its answer named. Where no answer was ever read, because a person decided what became of it, the first of the
 * type made since.
 */
function capabilityOf(kept: KeptRequest, all: readonly CapabilityRequest[] | null): CapabilityRequest | null {
  const ofType = (all ?? []).filter(({ type }) => type === kept.row.paymentType)
  const ids = kept.action?.mentions ?? []
  if (ids.length > 0) return ofType.find(({ id }) => ids.includes(id)) ?? null
  if (kept.action?.state !== 'applied') return null
  const since = ofType.filter(({ created_at: at = '' }) => at >= kept.row.createdAt.toISOString())
  return since.sort((one, other) => (one.created_at ?? '').localeCompare(other.created_at ?? ''))[0] ?? null
}

function factsOf({ row, action }: KeptRequest, capability: CapabilityRequest | null, { limits }: Standing): RequestFacts {
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

const endOf = (word: string | null) => requestStates.find((state) => state === word)

/** A kept request as it stands. One that was seen to have ended stays as it ended, whatever moves later. */
export function viewOf(kept: KeptRequest, standing: Standing, readerId: string, now: number): LimitRequestView {
  const { row, action, by } = kept
  const capability = capabilityOf(kept, standing.capabilities)
  const tracking = trackRequest(factsOf(kept, capability, standing), now)
  const ended = row.closedAt && endOf(row.closedAs)
  return {
    id: row.id,
    account: accountText(row.accountId),
    type: row.paymentType,
    before: row.before as LimitSet,
    asked: row.asked as LimitSet,
    justification: row.justification,
    asked_by: by,
    own: row.askedBy === readerId,
    created_at: row.createdAt.toISOString(),
    action: action && { id: action.id, state: action.state },
    capability: capability && { id: capability.id, status: capability.status },
    tracking: ended ? { ...tracking, state: ended, isOpen: false } : tracking,
    closed_at: row.closedAt?.toISOString() ?? null,
    note: standing.limits && standing.capabilities ? null : 'The service could not be asked just now; this is what was known before.',
  }
}

/** Writes down which open requests have ended, so that the next may be asked. Said once: a later reading changes no end. */
export async function noteEnds(db: Db, views: readonly LimitRequestView[]): Promise<void> {
  for (const { id, tracking, closed_at } of views) {
    if (closed_at !== null || tracking.isOpen) continue
    const applied = tracking.state === 'applied' ? { appliedAt: sql`now()` } : {}
    await db
      .update(limitRequests)
      .set({ closedAt: sql`now()`, closedAs: tracking.state, ...applied })
      .where(and(eq(limitRequests.id, id), isNull(limitRequests.closedAt)))
  }
}
