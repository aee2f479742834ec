import { createHmac, randomBytes, randomUUID } from 'node:crypto'

/** Returns a new secret in the format of payments services. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

type Delivery = {
  /** The URL of the desk. */
  desk: string
  secret: string
  body: string | object
  id?: string
  environment?: string
  /** Difference between the timestamp and now, in seconds. */
  off?: number
  names?: 'webhook' | 'svix'
  /** The body to send, if it differs from the signed body. */
  sent?: string
  headers?: Record<string, string>
}

/** Sends a webhook event as a payments service does. */
export function deliverWebhook(delivery: Delivery): Promise<Response> {
  const { desk, secret, body, off = 0, id = `msg_${randomUUID()}`, names = 'webhook', environment = 'sandbox', sent, headers } = delivery
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000) + off)
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${text}`)
    .digest('base64')
  const signatureHeaders = { [`${names}-id`]: id, [`${names}-timestamp`]: timestamp, [`${names}-signature`]: `v1,${signature}` }
  return fetch(`${desk}/api/webhooks/${environment}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signatureHeaders, ...headers },
    body: sent ?? text,
  })
}

/** Returns the envelope of a webhook event (provider facts 4.2). */
export const buildWebhookEvent = (type: string, data: unknown, account: string = randomUUID()) => ({
  event_type: type,
  event_id: randomUUID(),
  account_id: account,
  data,
})

/** Returns a payout as webhook events contain it, with additional fields of a test. */
export const buildWebhookPayout = (more: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  amount: 1250,
  currency: 'USD',
  status: 'created',
  ...more,
})
