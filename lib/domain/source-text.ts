import { inTable } from './service-words'

const sources: Record<string, string> = {
  watchtower: 'the provider’s risk engine',
  user_action: 'a user',
  system: 'the payments service',
  bank_decline: 'the bank',
  customer_dispute: 'the customer’s dispute',
}

/**
 * The source of a status in words, the raw text if unknown, or "an unnamed source" if missing. A hold requested at creation has the risk
 * engine as its source, which only executed it (provider facts 3.1).
 */
export function sourceText(source: string | undefined, reason?: string): string {
  if (reason?.toLowerCase() === 'auto_hold') return 'its creator'
  if (!source) return 'an unnamed source'
  return inTable(sources, source.toLowerCase()) ?? source
}
