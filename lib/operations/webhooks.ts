import * as z from 'zod'
import { createPagingFields, oneOf, shortText, timeBound } from './input.schema'

/**
 * The states of a delivery. A refused delivery is not stored: refusals are counted by cause and
 * day.
 */
export const webhookStates = ['received', 'matched', 'ignored', 'failed', 'refused'] as const

/**
 * The resources that a webhook can be about; `unknown` if Paydesk does not support the resource.
 */
export const webhookKinds = [
  'payouts',
  'charges',
  'customers',
  'paykeys',
  'funding_events',
  'accounts',
  'representatives',
  'linked_bank_accounts',
  'capability_requests',
  'unknown',
] as const

/**
 * A row of the webhooks list: one webhook, or all refused deliveries of one cause and day. A row of
 * refused deliveries has only the fields that all of them share.
 */
export type WebhookView = {
  id: string
  state: (typeof webhookStates)[number]
  /** Time of arrival (ISO). In a row of refused deliveries, the arrival of the last one. */
  received_at: string
  /** Number of deliveries in this row. */
  count: number
  /**
   * Why the webhook was ignored or refused, or the class of the error when it was last processed.
   */
  note: string | null
  /** True if the signature proves that the service sent the webhook. */
  verified: boolean
  event_type: string | null
  event_id: string | null
  /** The account, as `acct_…`. */
  account: string | null
  /** The object that the webhook is about, as `<resource>/<uuid>`. */
  target: string | null
  tries: number
  processed_at: string | null
  next_try_at: string | null
}

/**
 * A webhook with the object that it is about, masked as in every other read. `payload` is null if
 * the object is not stored.
 */
export type WebhookDetail = WebhookView & { payload: Record<string, unknown> | null }

const webhookIdInput = z.strictObject({
  id: z.string().regex(/^[\w:.-]{1,140}$/, 'Must be the ID of a webhook.'),
})

export const webhooksFilter = z.strictObject({
  ...createPagingFields(['received_at'], 'received_at'),
  state: oneOf(webhookStates).optional(),
  kind: oneOf(webhookKinds).optional(),
  signature: oneOf(['verified', 'unverified']).optional(),
  target: z
    .string()
    .regex(/^[a-z_]+\/[0-9a-f-]{36}$/, 'Must be like payouts/<uuid>.')
    .optional(),
  received_from: timeBound,
  received_to: timeBound,
  search_text: shortText,
})

export type WebhooksFilter = z.output<typeof webhooksFilter>

export const webhookSchemas = {
  'webhooks.list': { input: webhooksFilter, output: z.custom<WebhookView[]>() },
  'webhooks.read': { input: webhookIdInput, output: z.custom<WebhookDetail>() },
  'webhooks.process': { input: webhookIdInput, output: z.custom<WebhookDetail>() },
}
