import type { Payment } from './payment-kind'
import { findReturnCode } from './return-codes'
import { sourceText } from './source-text'
import { statusWords } from './status'
import type { TimelineEntry } from './timeline'

/**
 * Returns the provider's history of a payment or funding event as timeline entries, oldest first. A state can repeat (provider facts 2.6).
 * It has its own file because it imports the texts of all return codes, which other records do not need.
 */
export const toProviderEntries = (history: Payment['status_history']): TimelineEntry[] => history.map(toProviderEntry)

function toProviderEntry(entry: Payment['status_history'][number], at: number): TimelineEntry {
  const words = statusWords('payment', entry.status)
  const code = findReturnCode(entry.code)
  const raw = { status: entry.status, reason: entry.reason, source: entry.source, code: entry.code, message: entry.message }
  return {
    id: `provider-${at}`,
    source: 'provider',
    at: entry.changed_at ?? null,
    title: code ? `${words.label} — ${entry.code}: ${code.meaning}` : words.label,
    detail: entry.message ?? entry.reason ?? null,
    confirmed: [],
    by: sourceText(entry.source, entry.reason),
    tone: words.tone,
    raw: Object.fromEntries(Object.entries(raw).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    action: null,
  }
}
