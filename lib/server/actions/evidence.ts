import 'server-only'
import { and, desc, eq, gt, gte, inArray, sql } from 'drizzle-orm'
import { type EvidenceView, openActionStates } from '@/lib/operations/answer'
import type { Environment } from '@/lib/operations/define'
import { actions } from '@/lib/server/store/schema/actions'
import { webhookEvents } from '@/lib/server/store/schema/mirror'
import { type Db, getDatabase } from '@/lib/server/store/store'
import type { Action } from './action-log'

const [maxEventsRead, maxEventsPerAction] = [200, 5]

/**
 * Returns the webhook events by action id, newest first. Only events with a verified signature
 * count, and only events after the creation of the action.
 */
export async function findWebhookEvidence(
  db: Db,
  listedActions: readonly Action[],
): Promise<ReadonlyMap<string, EvidenceView[]>> {
  const openActions = listedActions.filter(
    ({ state, target }) => target !== null && openActionStates.includes(state),
  )
  const [firstAction] = openActions
  if (!firstAction) return new Map()
  const toObjectId = ({ target }: Action) => target?.split('/')[1] ?? ''
  const { environment, resource, objectId, receivedAt, signed, id, eventType, payload } =
    webhookEvents
  const eventRows = await db
    .select({
      id,
      eventType,
      receivedAt,
      resource,
      objectId,
      status: sql<string | null>`${payload} ->> 'status'`,
    })
    .from(webhookEvents)
    .where(
      and(
        eq(environment, firstAction.environment),
        inArray(objectId, openActions.map(toObjectId)),
        eq(signed, 'verified'),
        gte(
          receivedAt,
          new Date(Math.min(...openActions.map(({ createdAt }) => createdAt.getTime()))),
        ),
      ),
    )
    .orderBy(desc(receivedAt))
    .limit(maxEventsRead)
  const findActionEvents = ({ target, createdAt }: Action) =>
    eventRows
      .filter(
        (event) =>
          `${event.resource}/${event.objectId}` === target && event.receivedAt >= createdAt,
      )
      .slice(0, maxEventsPerAction)
  const toEvidenceView = (event: (typeof eventRows)[number]): EvidenceView => ({
    webhook_id: event.id,
    event_type: event.eventType,
    status: event.status,
    received_at: event.receivedAt.toISOString(),
  })
  return new Map(
    openActions.map((action) => [action.id, findActionEvents(action).map(toEvidenceView)]),
  )
}

/**
 * Schedules a check now, because a signed webhook event about these objects arrived. The event
 * itself settles nothing: the check sends the same request under the same key. Skips actions in
 * `sending`, because their first check follows within seconds.
 */
export async function scheduleOutcomeChecks(
  environment: Environment,
  targets: readonly string[],
): Promise<void> {
  const db = await getDatabase()
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
