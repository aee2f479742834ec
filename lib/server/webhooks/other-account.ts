import 'server-only'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { isServiceOperationId, type ReadId } from '@/lib/operations/service-operations'
import { mirrorScope } from '@/lib/server/auth/scoped-account'
import { log } from '@/lib/server/log'
import { accountsOf } from '@/lib/server/mirror/account-of'
import { mirrored } from '@/lib/server/mirror/mirrored'
import { readService } from '@/lib/server/service/service-read'
import type { webhookEvents } from '@/lib/server/store/schema/mirror'

type WebhookEvent = typeof webhookEvents.$inferSelect

/** Resources read with an account header, whose objects do not contain their account. */
const scoped: ReadonlySet<string> = new Set(['customers', 'paykeys', 'charges', 'payouts', 'funding_events'])

/** Returns the account to store an event's object under; null if the object itself contains its account. */
export const accountOfEvent = ({ resource, accountId }: WebhookEvent): string | null => (scoped.has(resource ?? '') ? accountId : null)

/** Returns the account in the event; null if it has none. */
function accountSaid(event: WebhookEvent): string | null {
  const { resource, payload, accountId } = event
  if (scoped.has(resource ?? '')) return accountId
  return (resource && mirrored[resource as keyof typeof mirrored].row(payload as never).account) ?? null
}

const targetOf = ({ resource, objectId }: WebhookEvent): string => `${resource}/${objectId}`

/** Returns the events whose account differs from the object's known account, with the known account. */
export async function contradictions(
  environment: Environment,
  events: readonly WebhookEvent[],
): Promise<ReadonlyMap<WebhookEvent, string>> {
  const knownAccounts = await accountsOf(environment, events.map(targetOf))
  const found = new Map<WebhookEvent, string>()
  for (const event of events) {
    const [said, account] = [accountSaid(event), knownAccounts.get(targetOf(event))]
    if (said && account && said !== account) found.set(event, account)
  }
  return found
}

const isNotThere = (error: unknown) => error instanceof AppError && error.code === 'service_not_found'

/**
 * Reads the object of such an event from the service, first in the known account and then in the event's. Stores the response instead of
 * the event. Ignores an object found in neither account. Throws other read errors.
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
