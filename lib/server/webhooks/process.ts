import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Environment } from '@/lib/operations/define'
import { checkSoon } from '@/lib/server/actions/evidence'
import { errorCode } from '@/lib/server/error-code'
import { keepObjects } from '@/lib/server/mirror/keep'
import type { Given } from '@/lib/server/mirror/mirrored'
import { deletions } from '@/lib/server/store/desk-schema'
import { mirrorForgotten } from '@/lib/server/store/mirror-schema'
import { type Db, database } from '@/lib/server/store/store'
import { webhookEvents } from '@/lib/server/store/webhook-schema'
import type { EventResource } from './envelope'
import { accountOfEvent, askInstead, contradictions } from './other-account'

export type WebhookEvent = typeof webhookEvents.$inferSelect

/** What became of an event: `note` says why it was left alone, or the class of what was thrown where it is to be tried again. */
export type Outcome =
  | { state: 'matched'; note: null }
  | { state: 'ignored'; note: 'customer_deleted' | 'no_payload' | 'other_account' }
  | { state: 'received'; note: string }

/** Lets go of what events said of a customer who was deleted. */
export async function forgetCustomer(db: Db, environment: Environment, customerId: string): Promise<void> {
  await db
    .update(webhookEvents)
    .set({ payload: null })
    .where(and(eq(webhookEvents.environment, environment), eq(webhookEvents.customerId, customerId)))
}

/** Those of the events' customers who were deleted, from here or at the service. */
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

/** Events about objects of one resource and one account, which are kept together. */
type Group = { environment: Environment; resource: EventResource; account: string | null; events: readonly WebhookEvent[] }

/** The object of an event, which was parsed by its operation's schema when it came. */
type Known = Given[EventResource]

async function keepTogether({ environment, resource, account, events }: Group): Promise<void> {
  const targets = events.map(({ objectId }) => `${resource}/${objectId}`)
  const seenAt = new Date(Math.max(...events.map(({ receivedAt }) => receivedAt.getTime())))
  await keepObjects({ environment, resource, account, objects: events.map(({ payload }) => payload as Known), seenBy: 'webhook', seenAt })
  await checkSoon(environment, targets)
}

const failure = (error: unknown): Outcome => ({ state: 'received', note: errorCode(error) })

/** Keeps a group. Where that fails each event is tried alone, so that one which cannot be kept holds up no other. */
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

/** What there is to say of an event without keeping it; null where it is to be kept. A payment outlives its customer, without their name. */
function ignoredBecause({ payload, resource, signed, customerId }: WebhookEvent, deleted: ReadonlySet<string>): Outcome | null {
  if (payload === null || resource === null || signed !== 'verified') return { state: 'ignored', note: 'no_payload' }
  const isPersonal = resource === 'customers' || resource === 'paykeys'
  return isPersonal && deleted.has(customerId ?? '') ? { state: 'ignored', note: 'customer_deleted' } : null
}

/** Reads objects from the service if an event contradicts their known account. If the read fails, the event is tried again later. */
async function settleContradictions(environment: Environment, events: readonly WebhookEvent[]): Promise<[WebhookEvent, Outcome][]> {
  const outcomes: [WebhookEvent, Outcome][] = []
  for (const [event, known] of await contradictions(environment, events)) {
    const reading = askInstead(environment, event, known)
    outcomes.push([event, await reading.then((): Outcome => ({ state: 'ignored', note: 'other_account' }), failure)])
  }
  return outcomes
}

/**
 * Takes over what genuine events of an environment say; doing so twice, or in another order than it happened, comes to the same. They grant nothing and
 * settle no action: an unknown one on such an object asks the service at once.
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
