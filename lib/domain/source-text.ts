const sources: Record<string, string> = {
  watchtower: 'the provider’s risk engine',
  user_action: 'a person',
  system: 'the payments service',
  bank_decline: 'the bank',
  customer_dispute: 'the customer’s dispute',
}

/** The source of a status in words; the raw text where it is not known, and "an unnamed source" where there is none. */
export function sourceText(source: string | undefined): string {
  if (!source) return 'an unnamed source'
  return sources[source.toLowerCase()] ?? source
}
