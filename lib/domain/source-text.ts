import { findEntry } from './service-words'

const sourceTexts: Record<string, string> = {
  watchtower: 'the provider’s risk engine',
  user_action: 'a user',
  system: 'the payments service',
  bank_decline: 'the bank',
  customer_dispute: 'the customer’s dispute',
}

/**
 * Returns the source of a status in words: the raw text if it is unknown, "an unnamed source" if it
 * is missing. For a hold that was requested at creation, the service names its risk engine as the
 * source, but that only executed the request. The text is then "its creator" (provider facts 3.1).
 */
export function sourceText(source: string | undefined, reason?: string): string {
  if (reason?.toLowerCase() === 'auto_hold') return 'its creator'
  if (!source) return 'an unnamed source'
  return findEntry(sourceTexts, source.toLowerCase()) ?? source
}
