import { createHmac, randomBytes, randomUUID } from 'node:crypto'

/** Returns a new webhook secret, in the format that payments services use. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

type WebhookDelivery = {
  /** The URL of the dashboard. */
  desk: string
  secret: string
  body: string | object
  id?: string
  environment?: string
  /** Seconds that are added to the current time for the timestamp. */
  off?: number
  names?: 'webhook' | 'svix'
  /** The body to send, if it differs from the signed body. */
  sent?: string
  headers?: Record<string, string>
}

/** Sends a webhook event as a payments service does. */
export function deliverWebhook(delivery: WebhookDelivery): Promise<Response> {
  const {
    desk,
    secret,
    body,
    off = 0,
    id = `msg_${randomUUID()}`,
    names = 'webhook',
    environment = 'sandbox',
    sent,
    headers,
  } = delivery
  const bodyText = typeof body === 'string' ? body : JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000) + off)
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${bodyText}`)
    .digest('base64')
  const signatureHeaders = {
    [`${names}-id`]: id,
    [`${names}-timestamp`]: timestamp,
    [`${names}-signature`]: `v1,${signature}`,
  }
  return fetch(`${desk}/api/webhooks/${environment}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signatureHeaders, ...headers },
    body: sent ?? bodyText,
  })
}

/** Returns a webhook event in the provider’s envelope (provider facts 4.2). */
export const buildWebhookEvent = (type: string, data: unknown, account: string = randomUUID()) => ({
  event_type: type,
  event_id: randomUUID(),
  account_id: account,
  data,
})

/** Returns a payout as webhook events contain it. The parameter adds or replaces fields. */
export const buildWebhookPayout = (overrides: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  amount: 1250,
  currency: 'USD',
  status: 'created',
  ...overrides,
})
