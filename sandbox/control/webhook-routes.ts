import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import {
  countDeliveries,
  type DeliveryEntry,
  deliveryStates,
  findDeliverySeq,
  readDeliveries,
} from '@/sandbox/events/delivery-store'
import type { EventRow } from '@/sandbox/events/event-store'
import { makeNotFoundProblem } from '@/sandbox/http/problem'
import { makeEnumSchema } from '@/sandbox/http/read-body'
import type { Sandbox } from '@/sandbox/sandbox'
import { toIsoTime, toIsoTimeOrNull } from '@/sandbox/store/clock'
import { readControlBody } from './read-control'

type HonoEnv = { Bindings: HttpBindings }

/** To read the next page, set `since` to the `seq` of the last row. */
const logQueryFields = {
  since: z.coerce.number('must be a sequence number').int().min(0).default(0),
  object_id: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
}

const eventsQuerySchema = z.strictObject(logQueryFields)
const deliveriesQuerySchema = z.strictObject({
  ...logQueryFields,
  state: makeEnumSchema(deliveryStates).optional(),
})
const recoverDeliveriesBodySchema = z.strictObject({
  since: z.iso.datetime({ offset: true, message: 'must be a time, such as 2030-01-31T12:00:00Z' }),
})
const emptyBodySchema = z.strictObject({})

const toEventResponseItem = ({ at, payload, ...row }: EventRow) => ({
  ...row,
  at: toIsoTime(at),
  payload: JSON.parse(payload) as unknown,
})

const toDeliveryResponseItem = ({ at, next_attempt_at, attempts, ...entry }: DeliveryEntry) => ({
  ...entry,
  at: toIsoTime(at),
  next_attempt_at: toIsoTimeOrNull(next_attempt_at),
  attempts: attempts.map((attempt) => ({ ...attempt, at: toIsoTime(attempt.at) })),
})

function readWebhookEndpoint({ store, deliveries }: Sandbox) {
  const { failing_since, disabled_at } = deliveries.endpoint
  return {
    configured: deliveries.configured,
    failing_since: toIsoTimeOrNull(failing_since),
    disabled_at: toIsoTimeOrNull(disabled_at),
    deliveries: { pending: 0, delivered: 0, failed: 0, ...countDeliveries(store) },
  }
}

function requireEnabledEndpoint({ deliveries }: Sandbox): void {
  if (!deliveries.configured)
    throw new HTTPException(409, {
      message: 'no endpoint is configured: start the sandbox with --webhook',
    })
  if (deliveries.endpoint.disabled_at !== null) {
    throw new HTTPException(409, {
      message: 'the endpoint is disabled: POST /sandbox/webhooks/enable first',
    })
  }
}

function resendDelivery(
  context: Context<HonoEnv, '/webhooks/deliveries/:id/resend'>,
  sandbox: Sandbox,
) {
  requireEnabledEndpoint(sandbox)
  const seq = findDeliverySeq(sandbox.store, context.req.param('id'))
  if (seq === undefined) throw makeNotFoundProblem('delivery')
  if (sandbox.deliveries.isClaimed(seq))
    throw new HTTPException(409, { message: 'this delivery is on its way right now' })
  sandbox.deliveries.resend(seq, sandbox.clock.now())
  return context.json(
    readDeliveries(sandbox.store, { since: seq - 1, state: null, objectId: null, limit: 1 }).map(
      toDeliveryResponseItem,
    )[0],
  )
}

export function addWebhookRoutes(app: Hono<HonoEnv>, sandbox: Sandbox): void {
  app.get('/events', (context) => {
    const { since, object_id, limit } = eventsQuerySchema.parse(context.req.query())
    return context.json({
      data: sandbox.events.read(since, object_id ?? null, limit).map(toEventResponseItem),
    })
  })
  app.get('/webhooks', (context) => context.json(readWebhookEndpoint(sandbox)))
  app.get('/webhooks/deliveries', (context) => {
    const { since, state, object_id, limit } = deliveriesQuerySchema.parse(context.req.query())
    const deliveryResponseItems = readDeliveries(sandbox.store, {
      since,
      state: state ?? null,
      objectId: object_id ?? null,
      limit,
    }).map(toDeliveryResponseItem)
    return context.json({ data: deliveryResponseItems })
  })
  app.post('/webhooks/deliveries/:id/resend', async (context) => {
    await readControlBody(context, emptyBodySchema)
    return resendDelivery(context, sandbox)
  })
  app.post('/webhooks/recover', async (context) => {
    const { since } = await readControlBody(context, recoverDeliveriesBodySchema)
    requireEnabledEndpoint(sandbox)
    return context.json({
      recovered: sandbox.deliveries.recover(Date.parse(since), sandbox.clock.now()),
    })
  })
  app.post('/webhooks/enable', async (context) => {
    await readControlBody(context, emptyBodySchema)
    sandbox.deliveries.enable()
    return context.json(readWebhookEndpoint(sandbox))
  })
}
