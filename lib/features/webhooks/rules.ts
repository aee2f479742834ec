import type { WebhookDetail } from '@/lib/operations/webhooks'

/**
 * Returns why a webhook cannot be processed again; null if it can. Processing is idempotent, so
 * even a processed one can be repeated.
 */
export function whyNotProcessedAgain({
  state,
  verified,
  payload,
}: Pick<WebhookDetail, 'state' | 'verified' | 'payload'>): string | null {
  if (!verified) return 'No signature proves that the payments service sent this event.'
  if (payload === null) return 'The payload is not stored, so there is nothing to process.'
  return state === 'received' ? 'This event is being processed.' : null
}
