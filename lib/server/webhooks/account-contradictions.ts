import 'server-only'
import { AppError } from '@/lib/errors'
import type { Environment, Resource } from '@/lib/operations/define'
import { getOwnerRule, type OwnerRule } from '@/lib/operations/ownership'
import { isServiceOperationId, type ReadId } from '@/lib/operations/service-operations'
import { createMirrorScope } from '@/lib/server/auth/scoped-account'
import { getIntegration } from '@/lib/server/config/integration'
import { log } from '@/lib/server/log'
import { mirrorTables } from '@/lib/server/mirror/mirrored'
import { lookUpAccounts } from '@/lib/server/mirror/object-accounts'
import { readService } from '@/lib/server/service/service-read'
import type { webhookEvents } from '@/lib/server/store/schema/mirror'

type WebhookEvent = typeof webhookEvents.$inferSelect

const findOwnerRule = ({ environment, resource }: WebhookEvent): OwnerRule | null =>
  resource ? getOwnerRule(resource as Resource, getIntegration(environment)) : null

/** Null if the object itself names its account, or belongs to the platform. */
export const getAccountToStore = (event: WebhookEvent): string | null =>
  findOwnerRule(event) === 'account' ? event.accountId : null

/** Null if the event names no account. */
function findNamedAccount(event: WebhookEvent): string | null {
  const { resource, payload } = event
  if (findOwnerRule(event) !== 'stated') return getAccountToStore(event)
  return (
    (resource &&
      mirrorTables[resource as keyof typeof mirrorTables].row(payload as never).account) ??
    null
  )
}

const toTarget = ({ resource, objectId }: WebhookEvent): string => `${resource}/${objectId}`

/** The map's values are the known accounts, which differ from those that the events name. */
export async function findAccountContradictions(
  environment: Environment,
  events: readonly WebhookEvent[],
): Promise<ReadonlyMap<WebhookEvent, string>> {
  const knownAccountByTarget = await lookUpAccounts(environment, events.map(toTarget))
  const knownAccountByEvent = new Map<WebhookEvent, string>()
  for (const event of events) {
    const [namedAccount, account] = [
      findNamedAccount(event),
      knownAccountByTarget.get(toTarget(event)),
    ]
    if (namedAccount && account && namedAccount !== account) knownAccountByEvent.set(event, account)
  }
  return knownAccountByEvent
}

const isNotFound = (error: unknown) =>
  error instanceof AppError && error.code === 'service_not_found'

/**
 * For an event that names another account than the known one. Reads the object in the known
 * account, and if it is not there, in the named one. Stores this response instead of the event's
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
    const isObjectFound = await readService(
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
    if (isObjectFound) return
  }
}
