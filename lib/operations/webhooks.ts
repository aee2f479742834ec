import * as z from 'zod'
import { createPagingFields, oneOf, shortText, timeBound } from './input.schema'

/** A refused delivery is not stored: refusals are counted by cause and day. */
export const webhookStates = ['received', 'matched', 'ignored', 'failed', 'refused'] as const

/** `unknown` if Paydesk does not support the resource. */
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

/** One webhook, or all refused deliveries of one cause and day with the fields that they share. */
export type WebhookView = {
  id: string
  state: (typeof webhookStates)[number]
  /** Time of arrival; in a row of refused deliveries, of the last one. */
  received_at: string
  count: number
  /** Why the webhook was ignored or refused, or the class of its last processing error. */
  note: string | null
  /** True if the signature proves that the service sent the webhook. */
  verified: boolean
  event_type: string | null
  event_id: string | null
  /** As `acct_…`. */
  account: string | null
  /** `<resource>/<uuid>` */
  target: string | null
  tries: number
  processed_at: string | null
  next_try_at: string | null
}

/** `payload` is masked as in every other read; null if the object is not stored. */
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
