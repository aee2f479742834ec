'use client'

import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { RecordFacts } from '@/components/kits/record/record-json'
import { ShortId } from '@/components/ui/short-id'
import { dayText } from '@/lib/dates'
import type { FundingEvent } from '@/lib/operations/funding-events.schema'
import { fundingNouns } from './funding-nouns'

/** With which bank account it is settled, by which numbers a bank finds it, and the rest of what is known. */
export const FundingRecord = ({ event }: { event: FundingEvent }) => (
  <div className="grid min-w-0 content-start gap-3">
    <Panel title="Linked bank account">
      <BankFacts bank={event.linked_bank_account_details} />
    </Panel>
    <RecordFacts nouns={fundingNouns} record={event}>
      <Facts>
        <Fact name="Id">
          <ShortId id={event.id} what="funding event id" />
        </Fact>
        <Fact name="Transfer date">{event.transfer_date && dayText(event.transfer_date)}</Fact>
        <Fact name="Payments">{event.payment_count?.toLocaleString('en-US')}</Fact>
        <TraceFacts event={event} />
        <Fact name="Created">{event.created_at && <RelativeTime at={event.created_at} />}</Fact>
        <Fact name="Changed">{event.updated_at && <RelativeTime at={event.updated_at} />}</Fact>
        {event.config?.sandbox_outcome && event.config.sandbox_outcome !== 'standard' && (
          <Fact name="Simulated as">
            <code className="font-mono text-xs">{event.config.sandbox_outcome}</code>
          </Fact>
        )}
      </Facts>
    </RecordFacts>
  </div>
)

function BankFacts({ bank }: { bank: FundingEvent['linked_bank_account_details'] }) {
  if (!bank) return <p className="text-ink-2">The service names none for this event.</p>
  return (
    <Facts>
      <Fact name="Bank">{bank.institution_name && <bdi>{bank.institution_name}</bdi>}</Fact>
      <Fact name="Holder">{bank.account_holder && <bdi>{bank.account_holder}</bdi>}</Fact>
      <Fact name="Account number">{bank.account_number && <bdi>{bank.account_number}</bdi>}</Fact>
    </Facts>
  )
}

/** The numbers a bank asks for. There is none before the transfer was sent. */
function TraceFacts({ event }: { event: FundingEvent }) {
  const numbers = [...new Set([event.trace_number, ...event.trace_numbers].filter((number) => number !== undefined))]
  const ids = Object.entries(event.trace_ids)
  if (numbers.length === 0 && ids.length === 0) return <Fact name="Trace number">none before it is sent</Fact>
  return (
    <>
      {numbers.map((number) => (
        <Fact key={number} name="Trace number">
          <ShortId id={number} what="trace number" />
        </Fact>
      ))}
      {ids.map(([party, id]) => (
        <Fact key={party} name={`Trace, ${party}`}>
          <ShortId id={id} what={`trace id of ${party}`} />
        </Fact>
      ))}
    </>
  )
}
