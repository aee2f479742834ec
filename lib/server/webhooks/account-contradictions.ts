import 'server-only'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { isServiceOperationId, type ReadId } from '@/lib/operations/service-operations'
import { createMirrorScope } from '@/lib/server/auth/scoped-account'
import { log } from '@/lib/server/log'
import { mirrorTables } from '@/lib/server/mirror/mirrored'
import { lookUpAccounts } from '@/lib/server/mirror/object-accounts'
import { readService } from '@/lib/server/service/service-read'
import type { webhookEvents } from '@/lib/server/store/schema/mirror'

type WebhookEvent = typeof webhookEvents.$inferSelect

/**
 * Resources that are read with an account header and whose objects do not contain their account.
 */
const scopedResources: ReadonlySet<string> = new Set([
  'customers',
  'paykeys',
  'charges',
  'payouts',
  'funding_events',
])

/**
 * Returns the account under which the object of an event is stored. Returns null if the object
 * itself contains its account.
 */
export const findStorageAccount = ({ resource, accountId }: WebhookEvent): string | null =>
  scopedResources.has(resource ?? '') ? accountId : null

/** Returns the account that the event names; null if it names none. */
function findNamedAccount(event: WebhookEvent): string | null {
  const { resource, payload, accountId } = event
  if (scopedResources.has(resource ?? '')) return accountId
  return (
    (resource &&
      mirrorTables[resource as keyof typeof mirrorTables].row(payload as never).account) ??
    null
  )
}

const toTarget = ({ resource, objectId }: WebhookEvent): string => `${resource}/${objectId}`

/**
 * Returns the events that name another account than the one already known for their object. The
 * map's values are the known accounts.
 */
export async function findContradictions(
  environment: Environment,
  events: readonly WebhookEvent[],
): Promise<ReadonlyMap<WebhookEvent, string>> {
  const knownAccounts = await lookUpAccounts(environment, events.map(toTarget))
  const contradictions = new Map<WebhookEvent, string>()
  for (const event of events) {
    const [namedAccount, account] = [findNamedAccount(event), knownAccounts.get(toTarget(event))]
    if (namedAccount && account && namedAccount !== account) contradictions.set(event, account)
  }
  return contradictions
}

const isNotFound = (error: unknown) =>
  error instanceof AppError && error.code === 'service_not_found'

/**
 * Reads the object of an event from the service, because the event names another account than the
 * known one. Tries the known account, then the event's. Stores the response instead of the event's
 * object. Ignores an object that is in neither account. Throws other errors of the read.
 */
export async function rereadObject(
  environment: Environment,
  event: WebhookEvent,
  knownAccount: string,
): Promise<void> {
  log.warn({ event: 'webhooks.other_account', environment, code: event.eventType })
  const singleReadId = `${event.resource}.get`
  if (!isServiceOperationId(singleReadId)) return
  for (const account of [knownAccount, findNamedAccount(event)]) {
    const isFound = await readService(
      singleReadId as ReadId,
      { id: event.objectId } as never,
      createMirrorScope(environment, account),
    ).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false
        throw error
      },
    )
    if (isFound) return
  }
}
