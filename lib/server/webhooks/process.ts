import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { Environment } from '@/lib/operations/define'
import { indexAccount } from '@/lib/server/mirror/account-index'
import { keepObjects } from '@/lib/server/mirror/keep'
import type { Given } from '@/lib/server/mirror/mirrored'
import { deletions } from '@/lib/server/store/desk-schema'
import { type Db, database } from '@/lib/server/store/store'
import { webhookEvents } from '@/lib/server/store/webhook-schema'
import type { EventResource } from './envelope'

export type WebhookEvent = typeof webhookEvents.$inferSelect

/** What became of an event: `note` says why it was left alone. */
export type Processed = { state: 'matched' } | { state: 'ignored'; note: 'customer_deleted' | 'no_payload' }

/** Resources that an account header reads, so that their account has to be known from elsewhere; the others name it themselves. */
const scoped: ReadonlySet<string> = new Set(['customers', 'paykeys', 'charges', 'payouts', 'funding_events'])

/** Lets go of what events said of a customer who was deleted. */
export async function forgetCustomer(db: Db, environment: Environment, customerId: string): Promise<void> {
  await db
    .update(webhookEvents)
    .set({ payload: null })
    .where(and(eq(webhookEvents.environment, environment), eq(webhookEvents.customerId, customerId)))
}

async function isDeleted({ environment, customerId }: WebhookEvent): Promise<boolean> {
  if (!customerId) return false
  const rows = await (await database())
    .select({ id: deletions.id })
    .from(deletions)
    .where(and(eq(deletions.environment, environment), eq(deletions.customerId, customerId), eq(deletions.state, 'executed')))
    .limit(1)
  return rows.length > 0
}

/** The object of an event, which was parsed by its operation's schema when it came. */
type Known = Given[EventResource]

/**
 * Takes over what a genuine event says; doing so twice, or in another order than it happened, comes to the same. It grants nothing and settles no
 * action: those ask the service.
 */
export async function processEvent(event: WebhookEvent): Promise<Processed> {
  const { environment, accountId, customerId, payload, receivedAt } = event
  const resource = event.resource as EventResource | null
  if (payload === null || resource === null || event.signed !== 'verified') return { state: 'ignored', note: 'no_payload' }
  const isForgotten = await isDeleted(event)
  if (isForgotten && customerId) await forgetCustomer(await database(), environment, customerId)
  if (isForgotten && (resource === 'customers' || resource === 'paykeys')) return { state: 'ignored', note: 'customer_deleted' }
  const account = scoped.has(resource) ? accountId : null
  if (account) await indexAccount(environment, `${resource}/${event.objectId}`, account)
  await keepObjects({ environment, resource, account, objects: [payload as Known], seenBy: 'webhook', seenAt: receivedAt })
  return { state: 'matched' }
}
