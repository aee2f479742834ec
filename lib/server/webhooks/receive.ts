import 'server-only'
import { sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Environment } from '@/lib/operations/define'
import { readClientAddress, toNetworkPrefix } from '@/lib/server/audit/client'
import { env, listConfiguredEnvironments } from '@/lib/server/config/env'
import { respondNotFound } from '@/lib/server/http/auth-route'
import { readBodyBytes } from '@/lib/server/http/input'
import { respondError } from '@/lib/server/http/respond'
import { createRequestId } from '@/lib/server/service/request'
import { buildNotifySql } from '@/lib/server/store/notifications'
import { webhookEvents } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'
import { type ParsedEvent, parseEvents } from './envelope'
import { countForgedDelivery } from './forged-deliveries'
import { countRefusal, type RefusalCause, WebhookRefusedError } from './refusals'
import { hasValidSignature, isRecent, parseDeliveryHeaders } from './signature'

type RouteContext = { params: Promise<{ environment: string }> }

/** Maximum bytes of a delivery, which has up to 500 events. */
const maxBodyBytes = 4 * 1024 * 1024

/** Maximum time for receiving a delivery. The service waits 15 s for the response. */
const bodyTimeoutMs = 10_000

/** `signed` is `unverified` only if the environment accepts unsigned deliveries. */
type Delivery = {
  id: string
  signed: 'verified' | 'unverified'
  batch: boolean
  events: ParsedEvent[]
}

/** Cheap checks come first, and the signature is checked before the body is parsed. */
async function readDelivery(request: Request, environment: Environment): Promise<Delivery> {
  const { secrets, unsigned } = env().webhooks[environment]
  if (secrets.length === 0 && !unsigned) throw new WebhookRefusedError('not_set_up')
  const headers = parseDeliveryHeaders(request.headers)
  if (unsigned) {
    const parsedDelivery = parseEvents(await readBodyBytes(request, maxBodyBytes, bodyTimeoutMs))
    return {
      ...parsedDelivery,
      id: headers?.id ?? parsedDelivery.events[0]?.eventId ?? '',
      signed: 'unverified',
    }
  }
  if (!headers) throw new WebhookRefusedError('malformed')
  if (!isRecent(headers)) throw new WebhookRefusedError('too_old')
  const body = await readBodyBytes(request, maxBodyBytes, bodyTimeoutMs)
  if (!hasValidSignature(body, headers, secrets)) throw new WebhookRefusedError('wrong_signature')
  return { ...parseEvents(body), id: headers.id, signed: 'verified' }
}

/** Unverified events are never processed. */
function findIgnoreReason({ signed }: Delivery, { resource, payload }: ParsedEvent): string | null {
  if (resource === null) return 'unknown_kind'
  if (payload === null) return 'not_readable'
  return signed === 'verified' ? null : 'not_verified'
}

/** Ignores known ids, because the service may deliver an event twice. */
async function storeDelivery(environment: Environment, delivery: Delivery): Promise<void> {
  const now = sql`now()`
  const eventRows = delivery.events.map((event, at) => {
    const ignoreReason = findIgnoreReason(delivery, event)
    const stateFields =
      ignoreReason === null
        ? ({ state: 'received', nextTryAt: now } as const)
        : ({ state: 'ignored', processedAt: now, note: ignoreReason } as const)
    const { signed } = delivery
    return {
      environment,
      id: delivery.batch ? `${delivery.id}.${at}` : delivery.id,
      ...event,
      ...stateFields,
      signed,
      receivedAt: now,
    }
  })
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    await tx.insert(webhookEvents).values(eventRows).onConflictDoNothing()
    await tx.execute(buildNotifySql({ about: 'webhooks' }))
  })
}

const toRefusalCause = (error: unknown): RefusalCause | null => {
  if (error instanceof WebhookRefusedError) return error.why
  if (!(error instanceof AppError)) return null
  if (error.code === 'too_large' || error.code === 'too_slow') return error.code
  return error.code === 'bad_request' ? 'malformed' : null
}

/**
 * Counts only forged deliveries. Always throws: `too_many` if there were too many. Valid deliveries
 * from the same network are still accepted, because the service may send from there.
 */
function countForgedAndRethrow(request: Request, error: unknown): never {
  const secondsToWait =
    toRefusalCause(error) === null
      ? null
      : countForgedDelivery(toNetworkPrefix(readClientAddress(request.headers) ?? ''))
  throw secondsToWait === null ? error : new WebhookRefusedError('too_many', secondsToWait)
}

async function receiveDelivery(request: Request, environment: Environment): Promise<void> {
  const delivery = await readDelivery(request, environment).catch((error: unknown) =>
    countForgedAndRethrow(request, error),
  )
  await storeDelivery(environment, delivery)
}

/** Responds when the events are stored; a worker processes them later. */
export async function receiveWebhook(request: Request, context: RouteContext): Promise<Response> {
  const requestId = createRequestId()
  const { environment: environmentName } = await context.params
  const environment = listConfiguredEnvironments().find((name) => name === environmentName)
  if (!environment) return respondNotFound()
  try {
    if (request.method !== 'POST')
      throw new AppError('method_not_allowed', 'This address takes POST')
    await receiveDelivery(request, environment)
    return new Response(null, { status: 204, headers: { 'request-id': requestId } })
  } catch (error) {
    const cause = toRefusalCause(error)
    if (cause) countRefusal(environment, cause)
    const response = respondError(error, requestId)
    if (response.status === 405) response.headers.set('allow', 'POST')
    return response
  }
}
