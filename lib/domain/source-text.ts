import { findEntry } from './service-words'

const sourceTexts: Record<string, string> = {
  watchtower: 'the provider’s risk engine',
  user_action: 'a user',
  system: 'the payments service',
  bank_decline: 'the bank',
  customer_dispute: 'the customer’s dispute',
}

/**
 * Returns the source of a status in words, its raw text if it is unknown, or "an unnamed source" if it is missing. For a hold that was
 * requested at creation, the service names the risk engine as the source, which only executed the request (provider facts 3.1).
 */
export function sourceText(source: string | undefined, reason?: string): string {
  if (reason?.toLowerCase() === 'auto_hold') return 'its creator'
  if (!source) return 'an unnamed source'
  return findEntry(sourceTexts, source.toLowerCase()) ?? source
}
