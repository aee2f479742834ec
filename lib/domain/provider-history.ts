import type { Payment } from './payment-kind'
import { findReturnCode } from './return-codes'
import { statusSourceText } from './source-text'
import { statusWords } from './status'
import type { TimelineEntry } from './timeline'

/**
 * A state can repeat (provider facts 2.6). In its own file, because it imports the texts of all
 * return codes: pages of other records need not load them.
 */
export const toProviderEntries = (history: Payment['status_history']): TimelineEntry[] =>
  history.map(toProviderEntry)

function toProviderEntry(entry: Payment['status_history'][number], index: number): TimelineEntry {
  const statusTexts = statusWords('payment', entry.status)
  const returnCode = findReturnCode(entry.code)
  const rawFields = {
    status: entry.status,
    reason: entry.reason,
    source: entry.source,
    code: entry.code,
    message: entry.message,
  }
  return {
    id: `provider-${index}`,
    source: 'provider',
    at: entry.changed_at ?? null,
    title: returnCode
      ? `${statusTexts.label} — ${entry.code}: ${returnCode.meaning}`
      : statusTexts.label,
    detail: entry.message ?? entry.reason ?? null,
    confirmed: [],
    by: statusSourceText(entry.source, entry.reason),
    tone: statusTexts.tone,
    raw: Object.fromEntries(
      Object.entries(rawFields).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
    action: null,
  }
}
