import 'server-only'
import * as z from 'zod'
import { id } from '@/lib/operations/common.schema'
import { getSchemas } from '@/lib/operations/registry'
import { parseJson, readTolerantly } from '@/lib/server/service/read-tolerantly'
import { WebhookRefusedError } from './refusals'

/** The resources that have webhooks (provider facts 4.1). */
const eventResources = [
  'customers',
  'paykeys',
  'charges',
  'payouts',
  'funding_events',
  'accounts',
  'representatives',
  'linked_bank_accounts',
  'capability_requests',
] as const

export type EventResource = (typeof eventResources)[number]

const accountIdSchema = z
  .string()
  .transform((value) => value.replace(/^acct_/, ''))
  .pipe(id)
  .nullish()

/**
 * Maximum length of an event, in characters of JSON. The largest objects contain lists of
 * documents.
 */
const maxEventLength = 256 * 1024

const eventEnvelopeSchema = z.object({
  event_type: z.string().regex(/^[\w.:-]{1,100}$/),
  event_id: z.string().regex(/^[\w:-]{1,128}$/),
  account_id: accountIdSchema,
  data: z.unknown(),
})

type EventEnvelope = z.output<typeof eventEnvelopeSchema>

/** A delivery with several events, for endpoints with ordered delivery (provider facts 4.5). */
const batchSchema = z.object({
  data: z
    .array(z.object({ payload: eventEnvelopeSchema }))
    .min(1)
    .max(500),
})

/** `payload` has the form of the read operation; null if of an unknown kind or unreadable. */
export type ParsedEvent = {
  eventId: string
  eventType: string
  accountId: string | null
  resource: EventResource | null
  objectId: string | null
  customerId: string | null
  payload: Record<string, unknown> | null
}

/** An event type starts with the resource's singular name. Null if unknown. */
function findEventResource(eventType: string): EventResource | null {
  const resourceName = /^([a-z_]+)\.(?:created|event)\.v1$/.exec(eventType)?.[1]
  return eventResources.find((resource) => resource === `${resourceName}s`) ?? null
}

/** Parsing with the schema of the read operation drops all other fields. */
function findPayloadSchema(resource: EventResource): z.ZodType {
  if (resource !== 'capability_requests') return getSchemas(`${resource}.get`).output
  return (getSchemas('capability_requests.list').output as z.ZodArray<z.ZodType>).element
}

type CustomerIdFields = { customer_id?: string; customer_details?: { id?: string } }

function findCustomerId(resource: EventResource, payload: Record<string, unknown>): string | null {
  if (resource === 'customers') return String(payload.id)
  const { customer_id, customer_details } = payload as CustomerIdFields
  return id.safeParse(customer_id ?? customer_details?.id).data ?? null
}

function requireAllowedSize(event: EventEnvelope): EventEnvelope {
  if (JSON.stringify(event.data ?? null).length > maxEventLength)
    throw new WebhookRefusedError('too_large')
  return event
}

function parseEvent({ event_type, event_id, account_id, data }: EventEnvelope): ParsedEvent {
  const resource = findEventResource(event_type)
  const payload =
    resource &&
    (readTolerantly(findPayloadSchema(resource), data)?.data as Record<string, unknown> | undefined)
  const parsedId = z.object({ id }).safeParse(data)
  return {
    eventId: event_id,
    eventType: event_type,
    accountId: account_id ?? null,
    resource,
    objectId: parsedId.data?.id ?? null,
    customerId: resource && payload ? findCustomerId(resource, payload) : null,
    payload: payload ?? null,
  }
}

/** Drops fields that must not be stored. Throws `WebhookRefusedError` if it is not a webhook. */
export function parseEvents(body: Buffer): { batch: boolean; events: ParsedEvent[] } {
  let parsedBody: unknown
  try {
    parsedBody = parseJson(body.toString('utf8'))
  } catch {
    throw new WebhookRefusedError('malformed')
  }
  const singleEventResult = eventEnvelopeSchema.safeParse(parsedBody)
  if (singleEventResult.success)
    return { batch: false, events: [parseEvent(requireAllowedSize(singleEventResult.data))] }
  const batchResult = batchSchema.safeParse(parsedBody)
  if (!batchResult.success) throw new WebhookRefusedError('malformed')
  return {
    batch: true,
    events: batchResult.data.data.map(({ payload }) => parseEvent(requireAllowedSize(payload))),
  }
}
