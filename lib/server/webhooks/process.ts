import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { checkSoon } from '@/lib/server/actions/evidence'
import { errorCode } from '@/lib/server/error-code'
import { keepObjects } from '@/lib/server/mirror/keep'
import type { Given } from '@/lib/server/mirror/mirrored'
import { deletions } from '@/lib/server/store/schema/desk'
import { mirrorForgotten, webhookEvents } from '@/lib/server/store/schema/mirror'
import { type Db, database } from '@/lib/server/store/store'
import type { EventResource } from './envelope'
import { accountOfEvent, askInstead, contradictions } from './other-account'

export type WebhookEvent = typeof webhookEvents.$inferSelect

/** The outcome of an event. `note` is the reason why it was ignored or, if it is tried again (`received`), the error code. */
export type Outcome =
  | { state: 'matched'; note: null }
  | { state: 'ignored'; note: 'customer_deleted' | 'no_payload' | 'other_account' }
  | { state: 'received'; note: string }

/** Clears the payloads of a deleted customer's events. */
export async function forgetCustomer(db: Db, environment: Environment, customerId: string): Promise<void> {
  await db
    .update(webhookEvents)
    .set({ payload: null })
    .where(and(eq(webhookEvents.environment, environment), eq(webhookEvents.customerId, customerId)))
}

/** Returns those of the events' customers who were deleted, through Paydesk or at the service. */
async function deletedAmong(environment: Environment, events: readonly WebhookEvent[]): Promise<ReadonlySet<string>> {
  const customers = [...new Set(events.flatMap(({ customerId }) => customerId ?? []))]
  if (customers.length === 0) return new Set()
  const db = await database()
  const rows = await union(
    db
      .select({ id: deletions.customerId })
      .from(deletions)
      .where(and(eq(deletions.environment, environment), inArray(deletions.customerId, customers), eq(deletions.state, 'executed'))),
    db
      .select({ id: mirrorForgotten.id })
      .from(mirrorForgotten)
      .where(and(eq(mirrorForgotten.environment, environment), inArray(mirrorForgotten.id, customers))),
  )
  return new Set(rows.map(({ id }) => id))
}

/** Events of one resource and account, whose objects are stored together. */
type Group = { environment: Environment; resource: EventResource; account: string | null; events: readonly WebhookEvent[] }

/** The object of an event, which was parsed by the schema of its read operation on receipt. */
type Known = Given[EventResource]

async function keepTogether({ environment, resource, account, events }: Group): Promise<void> {
  const targets = events.map(({ objectId }) => `${resource}/${objectId}`)
  const seenAt = new Date(Math.max(...events.map(({ receivedAt }) => receivedAt.getTime())))
  await keepObjects({ environment, resource, account, objects: events.map(({ payload }) => payload as Known), seenBy: 'webhook', seenAt })
  await checkSoon(environment, targets)
}

const failure = (error: unknown): Outcome => ({ state: 'received', note: errorCode(error) })

/** Stores the objects of a group. If that fails, stores each object alone, so that one bad event does not block the others. */
async function keepGroup(group: Group): Promise<[WebhookEvent, Outcome][]> {
  const { events } = group
  try {
    await keepTogether(group)
    return events.map((event) => [event, { state: 'matched', note: null }])
  } catch (error) {
    if (events.length === 1) return events.map((event) => [event, failure(error)])
    const outcomes: [WebhookEvent, Outcome][] = []
    for (const event of events) outcomes.push(...(await keepGroup({ ...group, events: [event] })))
    return outcomes
  }
}

function groupsOf(environment: Environment, events: readonly WebhookEvent[]): Group[] {
  const groups = new Map<string, Group>()
  for (const event of events) {
    const resource = event.resource as EventResource
    const account = accountOfEvent(event)
    const key = `${resource} ${account}`
    groups.set(key, { environment, resource, account, events: [...(groups.get(key)?.events ?? []), event] })
  }
  return [...groups.values()]
}

/**
 * Returns the outcome of an event whose object is not stored; null if it is stored. Payments of a deleted customer are stored, without the
 * customer's personal data.
 */
function ignoredBecause({ payload, resource, signed, customerId }: WebhookEvent, deleted: ReadonlySet<string>): Outcome | null {
  if (payload === null || resource === null || signed !== 'verified') return { state: 'ignored', note: 'no_payload' }
  const isPersonal = resource === 'customers' || resource === 'paykeys'
  return isPersonal && deleted.has(customerId ?? '') ? { state: 'ignored', note: 'customer_deleted' } : null
}

/** Reads the objects of events that name another account than the known one. If a read fails, its event is tried again later. */
async function settleContradictions(environment: Environment, events: readonly WebhookEvent[]): Promise<[WebhookEvent, Outcome][]> {
  const outcomes: [WebhookEvent, Outcome][] = []
  for (const [event, known] of await contradictions(environment, events)) {
    const reading = askInstead(environment, event, known)
    outcomes.push([event, await reading.then((): Outcome => ({ state: 'ignored', note: 'other_account' }), failure)])
  }
  return outcomes
}

/**
 * Stores the objects of verified events. Events can be processed twice and in any order. They grant nothing and settle no action. Actions
 * with an unknown outcome on their objects are checked soon.
 */
export async function processEvents(
  environment: Environment,
  events: readonly WebhookEvent[],
): Promise<ReadonlyMap<WebhookEvent, Outcome>> {
  const deleted = await deletedAmong(environment, events)
  for (const customer of deleted) await forgetCustomer(await database(), environment, customer)
  const outcomes = new Map<WebhookEvent, Outcome>()
  for (const event of events) {
    const ignored = ignoredBecause(event, deleted)
    if (ignored) outcomes.set(event, ignored)
  }
  const isOpen = (event: WebhookEvent) => !outcomes.has(event)
  for (const [event, outcome] of await settleContradictions(environment, events.filter(isOpen))) outcomes.set(event, outcome)
  for (const group of groupsOf(environment, events.filter(isOpen))) {
    for (const [event, outcome] of await keepGroup(group)) outcomes.set(event, outcome)
  }
  return outcomes
}
