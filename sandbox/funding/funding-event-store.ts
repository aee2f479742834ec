import { getCurrentState, type Payment } from '@/sandbox/payments/payment'
import { toPaymentDate } from '@/sandbox/store/clock'
import { DocTable } from '@/sandbox/store/doc-table'
import type { SqliteStore } from '@/sandbox/store/store'
import type { FundingEvent } from './funding-event'
import { FundingLines } from './funding-lines'

export class FundingEventTable extends DocTable<FundingEvent> {
  readonly lines: FundingLines

  constructor(store: SqliteStore) {
    super(store, {
      name: 'funding_events',
      columns: {
        amount: { kind: 'INTEGER', of: (event) => event.amount },
        direction: ({ direction }) => direction,
        event_type: ({ event_type }) => event_type,
        status: ({ status }) => status,
        reason: (event) => event.status_details.reason,
        source: (event) => event.status_details.source,
        transfer_date: ({ transfer_date }) => transfer_date,
        // In New York, because `created_from` and `created_to` are days in New York.
        created_date: (event) => toPaymentDate(Date.parse(event.created_at)),
        trace_number: { of: ({ trace_number }) => trace_number, index: 'plain' },
      },
      search: (event) =>
        `${event.id} ${event.event_type} ${event.direction} ${event.transfer_date} ${event.trace_number ?? ''}`,
    })
    this.lines = new FundingLines(store)
  }
}

export function listFundingIds(
  { fundingEvents }: { fundingEvents: Pick<FundingEventTable, 'idOf' | 'lines'> },
  payment: Payment,
): string[] {
  const { status } = getCurrentState(payment)
  // Only failed and reversed payments can have money that a later event took back.
  const takeBackEventNumbers =
    status === 'failed' || status === 'reversed'
      ? fundingEvents.lines.eventsTakingBack(payment.n)
      : []
  return [...(payment.funding === null ? [] : [payment.funding]), ...takeBackEventNumbers].map(
    (n) => fundingEvents.idOf(n),
  )
}
