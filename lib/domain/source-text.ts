import { findOwnValue } from './service-words'

const statusSourceTexts: Record<string, string> = {
  watchtower: 'the provider’s risk engine',
  user_action: 'a user',
  system: 'the payments service',
  bank_decline: 'the bank',
  customer_dispute: 'the customer’s dispute',
}

/**
 * An unknown source is returned unchanged. A hold requested at creation has the risk engine as its
 * source. But the engine only executed the request, so the text is "its creator" (provider facts
 * 3.1).
 */
export function describeStatusSource(source: string | undefined, reason?: string): string {
  if (reason?.toLowerCase() === 'auto_hold') return 'its creator'
  if (!source) return 'an unnamed source'
  return findOwnValue(statusSourceTexts, source.toLowerCase()) ?? source
}
