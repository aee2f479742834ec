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

/** Returns the account under which the object of an event is stored; null if the object itself has the account. */
export const accountOfEvent = ({ resource, accountId }: WebhookEvent): string | null => (scoped.has(resource ?? '') ? accountId : null)

/** Returns the account that the event states for its object; null if it states none. */
function accountSaid(event: WebhookEvent): string | null {
  const { resource, payload, accountId } = event
  if (scoped.has(resource ?? '')) return accountId
  return (resource && mirrored[resource as keyof typeof mirrored].row(payload as never).account) ?? null
}

const targetOf = ({ resource, objectId }: WebhookEvent): string => `${resource}/${objectId}`

/** Returns the events whose account differs from the known account of their object, with the known account. */
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
 * Reads the object of such an event from the service, in the known account and then in the stated one, and stores the response instead of the event. An object that is in
 * neither account is ignored; every other error of a read is thrown.
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
