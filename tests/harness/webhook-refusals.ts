import { expect } from 'vitest'
import { waitUntil } from './wait-until'
import { buildWebhookEvent, buildWebhookPayout, createWebhookSecret } from './webhook'
import type { WebhookDesk } from './webhook-desk'

/** A valid event about a payout. */
export const payoutEvent = buildWebhookEvent('payout.event.v1', buildWebhookPayout())

/**
 * Deliveries that the desk refuses: a description, the cause that it counts, the status, and a
 * function that returns the difference from a valid delivery of `payoutEvent`.
 */
export const refusedDeliveries = [
  ['signed with another secret', 'wrong_signature', 400, () => ({ secret: createWebhookSecret() })],
  [
    'with one other byte',
    'wrong_signature',
    400,
    () => ({ sent: JSON.stringify(payoutEvent).replace('1250', '1251') }),
  ],
  ['that is more than five minutes old', 'too_old', 400, () => ({ off: -310 })],
  ['that is more than five minutes ahead', 'too_old', 400, () => ({ off: 310 })],
  ['that is not JSON', 'malformed', 400, () => ({ body: '{"event_type":' })],
  ['that is no event', 'malformed', 400, () => ({ body: { event_type: 'payout.event.v1' } })],
  ['without a signature', 'malformed', 400, () => ({ headers: { 'webhook-signature': '' } })],
  [
    'that is too large',
    'too_large',
    413,
    () => ({
      body: buildWebhookEvent(
        'payout.event.v1',
        buildWebhookPayout({ description: 'x'.repeat(300_000) }),
      ),
    }),
  ],
  ['for an environment without a secret', 'not_set_up', 503, () => ({ environment: 'production' })],
] as const

/**
 * Expects that a webhook event was refused with this status, and that one more refusal with this
 * cause was counted than before.
 */
export async function expectWebhookRefused(
  webhookTestStack: WebhookDesk,
  response: Response,
  status: number,
  cause: string,
  refusalCountBefore: number,
): Promise<void> {
  expect([response.status, await response.json()]).toEqual([
    status,
    expect.objectContaining({ response_type: 'error' }),
  ])
  await waitUntil(`a refusal as ${cause}`, async () =>
    (await webhookTestStack.refusals(cause)) === refusalCountBefore + 1 ? true : null,
  )
}
