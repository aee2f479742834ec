import type { Payment } from './payment-kind'
import { findReturnCode } from './return-codes'
import { describeStatusSource } from './source-text'
import { getStatusWords } from './status'
import type { TimelineEntry } from './timeline'

/**
 * The id of an entry has its index, because a state can occur twice (provider facts 2.6). This file
 * is separate because it imports the texts of all return codes, which pages of other records need
 * not load.
 */
export const toProviderEntries = (history: Payment['status_history']): TimelineEntry[] =>
  history.map(toProviderEntry)

function toProviderEntry(entry: Payment['status_history'][number], index: number): TimelineEntry {
  const paymentStatusWords = getStatusWords('payment', entry.status)
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
      ? `${paymentStatusWords.label} — ${entry.code}: ${returnCode.meaning}`
      : paymentStatusWords.label,
    detail: entry.message ?? entry.reason ?? null,
    confirmed: [],
    by: describeStatusSource(entry.source, entry.reason),
    tone: paymentStatusWords.tone,
    raw: Object.fromEntries(
      Object.entries(rawFields).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
    action: null,
  }
}
