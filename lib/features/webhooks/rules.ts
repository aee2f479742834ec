import type { WebhookDetail } from '@/lib/operations/webhooks'

/** Processing is idempotent, so even a processed webhook can be repeated. */
export function whyNotProcessedAgain({
  state,
  verified,
  payload,
}: Pick<WebhookDetail, 'state' | 'verified' | 'payload'>): string | null {
  if (!verified) return 'No signature proves that the payments service sent this event.'
  if (payload === null) return 'The payload is not stored, so there is nothing to process.'
  return state === 'received' ? 'This event is being processed.' : null
}
