import 'server-only'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { isServiceOperationId, type ReadId } from '@/lib/operations/service-operations'
import { mirrorScope } from '@/lib/server/auth/scoped-account'
import { log } from '@/lib/server/log'
import { accountsOf } from '@/lib/server/mirror/account-of'
import { mirrored } from '@/lib/server/mirror/mirrored'
import { readService } from '@/lib/server/service/service-read'
import type { webhookEvents } from '@/lib/server/store/webhook-schema'

type WebhookEvent = typeof webhookEvents.$inferSelect

/** Resources that an account header reads, so that their account has to be known from elsewhere; the others name it themselves. */
const scoped: ReadonlySet<string> = new Set(['customers', 'paykeys', 'charges', 'payouts', 'funding_events'])

/** The account by which objects of an event are kept; null where the object names its own. */
export const accountOfEvent = ({ resource, accountId }: WebhookEvent): string | null => (scoped.has(resource ?? '') ? accountId : null)

/** The account that an event says its object is of; null where it says none. */
function accountSaid(event: WebhookEvent): string | null {
  const { resource, payload, accountId } = event
  if (scoped.has(resource ?? '')) return accountId
  return (resource && mirrored[resource as keyof typeof mirrored].row(payload as never).account) ?? null
}

const targetOf = ({ resource, objectId }: WebhookEvent): string => `${resource}/${objectId}`

/** The events that say another account of their object than is known, with the one that is known. */
export async function contradictions(
  environment: Environment,
  events: readonly WebhookEvent[],
): Promise<ReadonlyMap<WebhookEvent, string>> {
  const known = await accountsOf(environment, events.map(targetOf))
  const found = new Map<WebhookEvent, string>()
  for (const event of events) {
    const [said, account] = [accountSaid(event), known.get(targetOf(event))]
    if (said && account && said !== account) found.set(event, account)
  }
  return found
}

const isNotThere = (error: unknown) => error instanceof AppError && error.code === 'service_not_found'

/**
 * Asks the service for the object of an event that names another account than is known: in the known account, then in the named one. What it answers is kept,
 * and nothing of the event. Throws what a read throws, save that there is no such object in either.
 */
export async function askInstead(environment: Environment, event: WebhookEvent, known: string): Promise<void> {
  log.warn({ event: 'webhooks.other_account', environment, code: event.eventType })
  const get = `${event.resource}.get`
  if (!isServiceOperationId(get)) return
  for (const account of [known, accountSaid(event)]) {
    const isThere = await readService(get as ReadId, { id: event.objectId } as never, mirrorScope(environment, account)).then(
      () => true,
      (error: unknown) => {
        if (isNotThere(error)) return false
        throw error
      },
    )
    if (isThere) return
  }
}
