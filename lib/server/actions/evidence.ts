import 'server-only'
import { and, desc, eq, gt, gte, inArray, sql } from 'drizzle-orm'
import { type EvidenceView, openStates } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { actions } from '@/lib/server/store/schema/actions'
import { webhookEvents } from '@/lib/server/store/schema/mirror'
import { type Db, database } from '@/lib/server/store/store'
import type { Action } from './action-log'

/** Maximum events read for a list of actions, and shown per action. */
const [mostRead, mostShown] = [200, 5]

/** Returns signed webhook events about the targets of open actions, received since the action was created. Newest first, by action id. */
export async function evidenceFor(db: Db, all: readonly Action[]): Promise<ReadonlyMap<string, EvidenceView[]>> {
  const open = all.filter(({ state, target }) => target !== null && openStates.includes(state))
  const [first] = open
  if (!first) return new Map()
  const objectOf = ({ target }: Action) => target?.split('/')[1] ?? ''
  const { environment, resource, objectId, receivedAt, signed, id, eventType, payload } = webhookEvents
  const rows = await db
    .select({ id, eventType, receivedAt, resource, objectId, status: sql<string | null>`${payload} ->> 'status'` })
    .from(webhookEvents)
    .where(
      and(
        eq(environment, first.environment),
        inArray(objectId, open.map(objectOf)),
        eq(signed, 'verified'),
        gte(receivedAt, new Date(Math.min(...open.map(({ createdAt }) => createdAt.getTime())))),
      ),
    )
    .orderBy(desc(receivedAt))
    .limit(mostRead)
  const about = ({ target, createdAt }: Action) =>
    rows.filter((event) => `${event.resource}/${event.objectId}` === target && event.receivedAt >= createdAt).slice(0, mostShown)
  const viewOf = (event: (typeof rows)[number]): EvidenceView => ({
    webhook_id: event.id,
    event_type: event.eventType,
    status: event.status,
    received_at: event.receivedAt.toISOString(),
  })
  return new Map(open.map((action) => [action.id, about(action).map(viewOf)]))
}

/**
 * Makes unknown actions on these objects due now, because genuine news about the objects arrived. It settles nothing: the check is the same
 * replay under the same key. An action that is still being sent gets its first check within seconds anyway.
 */
export async function checkSoon(environment: Environment, targets: readonly string[]): Promise<void> {
  const db = await database()
  await db
    .update(actions)
    .set({ nextCheckAt: sql`now()` })
    .where(
      and(
        eq(actions.environment, environment),
        inArray(actions.target, [...targets]),
        eq(actions.state, 'unknown'),
        gt(actions.nextCheckAt, sql`now()`),
      ),
    )
}
