import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { scheduleOutcomeChecks } from '@/lib/server/actions/evidence'
import { getErrorCode } from '@/lib/server/error-code'
import type { MirroredObjects } from '@/lib/server/mirror/mirrored'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import { customerDeletions } from '@/lib/server/store/schema/desk'
import { mirrorDeletedCustomers, webhookEvents } from '@/lib/server/store/schema/mirror'
import { type Db, getDatabase } from '@/lib/server/store/store'
import {
  findAccountContradictions,
  getAccountToStore,
  rereadObject,
} from './account-contradictions'
import type { EventResource } from './envelope'

export type WebhookEvent = typeof webhookEvents.$inferSelect

/**
 * `note` is the reason for ignoring the event or, if it is tried again (`received`), the error
 * code.
 */
export type EventOutcome =
  | { state: 'matched'; note: null }
  | { state: 'ignored'; note: 'customer_deleted' | 'no_payload' | 'other_account' }
  | { state: 'received'; note: string }

export async function clearCustomerPayloads(
  db: Db,
  environment: Environment,
  customerId: string,
): Promise<void> {
  await db
    .update(webhookEvents)
    .set({ payload: null })
    .where(
      and(eq(webhookEvents.environment, environment), eq(webhookEvents.customerId, customerId)),
    )
}

/** Returns the customers of the events that were deleted, through Paydesk or at the service. */
async function findDeletedCustomers(
  environment: Environment,
  events: readonly WebhookEvent[],
): Promise<ReadonlySet<string>> {
  const customerIds = [...new Set(events.flatMap(({ customerId }) => customerId ?? []))]
  if (customerIds.length === 0) return new Set()
  const db = await getDatabase()
  const deletedCustomerRows = await union(
    db
      .select({ id: customerDeletions.customerId })
      .from(customerDeletions)
      .where(
        and(
          eq(customerDeletions.environment, environment),
          inArray(customerDeletions.customerId, customerIds),
          eq(customerDeletions.state, 'executed'),
        ),
      ),
    db
      .select({ id: mirrorDeletedCustomers.id })
      .from(mirrorDeletedCustomers)
      .where(
        and(
          eq(mirrorDeletedCustomers.environment, environment),
          inArray(mirrorDeletedCustomers.id, customerIds),
        ),
      ),
  )
  return new Set(deletedCustomerRows.map(({ id }) => id))
}

type EventGroup = {
  environment: Environment
  resource: EventResource
  account: string | null
  events: readonly WebhookEvent[]
}

/** Already parsed with the schema of the read operation when the event arrived. */
type EventObject = MirroredObjects[EventResource]

async function storeEventObjects({
  environment,
  resource,
  account,
  events,
}: EventGroup): Promise<void> {
  const targets = events.map(({ objectId }) => `${resource}/${objectId}`)
  const seenAt = new Date(Math.max(...events.map(({ receivedAt }) => receivedAt.getTime())))
  await upsertObjects({
    environment,
    resource,
    account,
    objects: events.map(({ payload }) => payload as EventObject),
    seenBy: 'webhook',
    seenAt,
  })
  await scheduleOutcomeChecks(environment, targets)
}

const toRetryOutcome = (error: unknown): EventOutcome => ({
  state: 'received',
  note: getErrorCode(error),
})

/**
 * Stores the objects of all events at once. If that fails, stores each object alone, so that one
 * bad event does not block the others.
 */
async function storeEventGroup(group: EventGroup): Promise<[WebhookEvent, EventOutcome][]> {
  const { events } = group
  try {
    await storeEventObjects(group)
    return events.map((event) => [event, { state: 'matched', note: null }])
  } catch (error) {
    if (events.length === 1) return events.map((event) => [event, toRetryOutcome(error)])
    const outcomes: [WebhookEvent, EventOutcome][] = []
    for (const event of events)
      outcomes.push(...(await storeEventGroup({ ...group, events: [event] })))
    return outcomes
  }
}

function groupEvents(environment: Environment, events: readonly WebhookEvent[]): EventGroup[] {
  const groups = new Map<string, EventGroup>()
  for (const event of events) {
    const resource = event.resource as EventResource
    const account = getAccountToStore(event)
    const key = `${resource} ${account}`
    groups.set(key, {
      environment,
      resource,
      account,
      events: [...(groups.get(key)?.events ?? []), event],
    })
  }
  return [...groups.values()]
}

/**
 * Null if the object must be stored. Payments of a deleted customer are stored too, but without the
 * customer's personal data.
 */
function findIgnoredOutcome(
  { payload, resource, signed, customerId }: WebhookEvent,
  deletedCustomers: ReadonlySet<string>,
): EventOutcome | null {
  if (payload === null || resource === null || signed !== 'verified')
    return { state: 'ignored', note: 'no_payload' }
  const isPersonalResource = resource === 'customers' || resource === 'paykeys'
  return isPersonalResource && deletedCustomers.has(customerId ?? '')
    ? { state: 'ignored', note: 'customer_deleted' }
    : null
}

/**
 * Reads the objects of events that name a wrong account from the service. If a read fails, its
 * event is tried again later.
 */
async function settleContradictions(
  environment: Environment,
  events: readonly WebhookEvent[],
): Promise<[WebhookEvent, EventOutcome][]> {
  const outcomes: [WebhookEvent, EventOutcome][] = []
  for (const [event, knownAccount] of await findAccountContradictions(environment, events)) {
    const rereadPromise = rereadObject(environment, event, knownAccount)
    outcomes.push([
      event,
      await rereadPromise.then(
        (): EventOutcome => ({ state: 'ignored', note: 'other_account' }),
        toRetryOutcome,
      ),
    ])
  }
  return outcomes
}

/**
 * Processing an event twice, or events in any order, does no harm. An event never decides the
 * outcome of an action. Actions on the same objects whose outcome is unknown are only checked
 * sooner.
 */
export async function processEvents(
  environment: Environment,
  events: readonly WebhookEvent[],
): Promise<ReadonlyMap<WebhookEvent, EventOutcome>> {
  const deletedCustomers = await findDeletedCustomers(environment, events)
  for (const customer of deletedCustomers)
    await clearCustomerPayloads(await getDatabase(), environment, customer)
  const outcomes = new Map<WebhookEvent, EventOutcome>()
  for (const event of events) {
    const ignoredOutcome = findIgnoredOutcome(event, deletedCustomers)
    if (ignoredOutcome) outcomes.set(event, ignoredOutcome)
  }
  const isUndecided = (event: WebhookEvent) => !outcomes.has(event)
  for (const [event, outcome] of await settleContradictions(
    environment,
    events.filter(isUndecided),
  ))
    outcomes.set(event, outcome)
  for (const group of groupEvents(environment, events.filter(isUndecided))) {
    for (const [event, outcome] of await storeEventGroup(group)) outcomes.set(event, outcome)
  }
  return outcomes
}
