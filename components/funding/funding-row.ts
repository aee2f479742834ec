import { directionText, fundingTypeText } from '@/lib/domain/funding-words'
import { statusWords, type Tone } from '@/lib/domain/status'
import type { FundingEventSummary } from '@/lib/operations/funding-events.schema'

/** A row of the list, in words. Made on the server, so that the tables of words are not shipped with the list. */
export type FundingRow = {
  id: string
  amount: string
  direction: string
  type: string
  count: number | undefined
  transfer_date: string | undefined
  trace: string | undefined
  status: string
  tone: Tone
  /** What the service says of a state that is not the usual one. */
  why: string
  /** `acct_…` where it is known. */
  account: string | null
}

/** A funding event as a row. */
export function rowOf(item: FundingEventSummary, account: string | null): FundingRow {
  const { label, tone } = statusWords('funding_event', item.status)
  const { reason, message, code } = item.status_details ?? {}
  return {
    id: item.id,
    amount: item.amount,
    direction: directionText(item.direction),
    type: fundingTypeText(item.event_type),
    count: item.payment_count,
    transfer_date: item.transfer_date,
    trace: item.trace_number ?? item.trace_numbers[0],
    status: label,
    tone,
    why: reason === 'ok' ? '' : [code, message ?? reason].filter(Boolean).join(' · '),
    account,
  }
}
