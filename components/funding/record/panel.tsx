'use client'

import { useMemo } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { CalendarDate } from '@/components/kits/layout/relative-time'
import { ProviderReason } from '@/components/kits/record/provider-reason'
import { RecordAccountText, RecordHead } from '@/components/kits/record/record-head'
import { RecordFacts, RecordTimes } from '@/components/kits/record/record-json'
import { RecordColumn, RecordLayout } from '@/components/kits/record/record-layout'
import {
  type PanelProps,
  type RecordContentProps,
  RecordPanel,
} from '@/components/kits/record/record-panel'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { type OwnerAccount, useOwnerAccount } from '@/components/kits/record/side-reads'
import { ReadableRecordField } from '@/components/kits/unreadable/unreadable-fields'
import { ShortId } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { formatDay } from '@/lib/dates'
import { toProviderEntries } from '@/lib/domain/provider-history'
import { findReturnCode } from '@/lib/domain/return-codes'
import { getStatusWords } from '@/lib/domain/status'
import {
  fundingNouns,
  getDirectionLabel,
  getFundingTypeLabel,
  getFundingTypeMeaning,
} from '@/lib/features/funding/labels'
import { assessFunding, getFlowSign, sumFundingLines } from '@/lib/features/funding/sum'
import type { FundingEvent } from '@/lib/operations/funding-events.schema'
import { FundingPayments } from './payments'
import { FundingVerdictNotice, useFundingLines } from './verdict-notice'

type FundingHeadProps = Pick<
  RecordContentProps<'funding_events.get'>,
  'answer' | 'reading' | 'onRead' | 'onClose'
> & { owner: OwnerAccount }

function FundingHead({ answer, owner, reading, onRead, onClose }: FundingHeadProps) {
  const { amountUnit } = usePageContext()
  const fundingEvent = answer.data
  return (
    <RecordHead
      nouns={fundingNouns}
      record={fundingEvent}
      account={owner.account}
      title={
        <>
          <span className="sr-only">Funding event of </span>
          <Amount
            raw={fundingEvent.amount}
            currency="USD"
            unit={amountUnit}
            sign={getFlowSign(fundingEvent, amountUnit)}
          />
        </>
      }
      status={getStatusWords('funding_event', fundingEvent.status)}
      readAt={answer.meta.read_at ?? ''}
      reading={reading}
      onRead={onRead}
      onClose={onClose}
    >
      <span className="font-medium text-ink">{getDirectionLabel(fundingEvent.direction)}</span>,{' '}
      {lowerFirstLetter(getFundingTypeLabel(fundingEvent.event_type))}
      {fundingEvent.transfer_date && `, on ${formatDay(fundingEvent.transfer_date)}`},{' '}
      <RecordAccountText owner={owner} />
    </RecordHead>
  )
}

const lowerFirstLetter = (text: string) => text.replace(/^./, (first) => first.toLowerCase())

function FundingStatusNotice({ event }: { event: FundingEvent }) {
  const { label, tone, meaning } = getStatusWords('funding_event', event.status)
  const statusDetails = event.status_details
  const returnCode = findReturnCode(statusDetails?.code)
  const typeMeaning = getFundingTypeMeaning(event.event_type)
  return (
    <Notice
      tone={tone}
      title={
        <span className="text-base">{`${label}: ${returnCode ? `${returnCode.meaning} (${statusDetails?.code})` : meaning}`}</span>
      }
    >
      {typeMeaning && <p>{typeMeaning}</p>}
      {returnCode && <p>{returnCode.advice}</p>}
      <ProviderReason details={statusDetails} />
    </Notice>
  )
}

const FundingRecordColumn = ({ event }: { event: FundingEvent }) => (
  <RecordColumn rest>
    <Panel title="Linked bank account">
      <ReadableRecordField field="linked_bank_account_details">
        <LinkedBankAccountFacts bank={event.linked_bank_account_details} />
      </ReadableRecordField>
    </Panel>
    <RecordFacts nouns={fundingNouns} record={event}>
      <FactList>
        <Fact name="ID">
          <ShortId id={event.id} what="funding event ID" />
        </Fact>
        <Fact name="Transfer date" field="transfer_date">
          {event.transfer_date && <CalendarDate date={event.transfer_date} />}
        </Fact>
        <Fact name="Payments" field="payment_count">
          {event.payment_count?.toLocaleString('en-US')}
        </Fact>
        <TraceFacts event={event} />
        <RecordTimes record={event} />
        {event.config?.sandbox_outcome && event.config.sandbox_outcome !== 'standard' && (
          <Fact name="Simulated as">
            <code className="font-mono text-xs">{event.config.sandbox_outcome}</code>
          </Fact>
        )}
      </FactList>
    </RecordFacts>
  </RecordColumn>
)

function LinkedBankAccountFacts({ bank }: { bank: FundingEvent['linked_bank_account_details'] }) {
  if (!bank)
    return <p className="text-ink-2">The service names no linked bank account for this event.</p>
  return (
    <FactList>
      <Fact name="Bank">
        {bank.institution_name && <ExternalText>{bank.institution_name}</ExternalText>}
      </Fact>
      <Fact name="Holder">
        {bank.account_holder && <ExternalText>{bank.account_holder}</ExternalText>}
      </Fact>
      <Fact name="Account number">
        {bank.account_number && <ExternalText>{bank.account_number}</ExternalText>}
      </Fact>
    </FactList>
  )
}

/** A bank finds a transfer by its trace numbers. There are none before the transfer is sent. */
function TraceFacts({ event }: { event: FundingEvent }) {
  const traceNumbers = [
    ...new Set(
      [event.trace_number, ...event.trace_numbers].filter((number) => number !== undefined),
    ),
  ]
  const traceIdEntries = Object.entries(event.trace_ids)
  if (traceNumbers.length === 0 && traceIdEntries.length === 0)
    return <Fact name="Trace number">none before the event is sent</Fact>
  return (
    <>
      {traceNumbers.map((number) => (
        <Fact key={number} name="Trace number">
          <ShortId id={number} what="trace number" />
        </Fact>
      ))}
      {traceIdEntries.map(([party, id]) => (
        <Fact key={party} name={`Trace, ${party}`}>
          <ShortId id={id} what={`trace ID of ${party}`} />
        </Fact>
      ))}
    </>
  )
}

function FundingDetail(props: RecordContentProps<'funding_events.get'>) {
  const { answer, actions } = props
  const event = answer.data
  const { amountUnit: unit } = usePageContext()
  const ownerAccount = useOwnerAccount(
    'funding_events',
    event.id,
    props.knownAccount,
    fundingNouns.one,
  )
  const fundingLines = useFundingLines(event.id)
  const { lines, total, ended } = fundingLines
  const flowSign = getFlowSign(event, unit)
  const paymentsSum = useMemo(
    () => sumFundingLines(lines, total, { unit, sign: flowSign }),
    [lines, total, unit, flowSign],
  )
  const verdict = assessFunding(paymentsSum, event, { complete: ended, unit, sign: flowSign })
  return (
    <RecordLayout
      label="Funding event"
      one={fundingNouns.one}
      record={props}
      head={<FundingHead {...props} owner={ownerAccount} />}
      notice={<FundingVerdictNotice verdict={verdict} sum={paymentsSum} read={fundingLines} />}
    >
      <RecordColumn>
        <FundingStatusNotice event={event} />
        <RecordTimeline history={toProviderEntries(event.status_history)} actions={actions} />
      </RecordColumn>
      <FundingRecordColumn event={event} />
      <div className="min-w-0 xl:col-span-full">
        <FundingPayments
          lines={lines}
          sign={flowSign}
          unreadable={fundingLines.unreadable}
          sum={paymentsSum}
          ended={ended}
          account={ownerAccount.account}
        />
      </div>
    </RecordLayout>
  )
}

export const FundingPanel = (props: PanelProps) => (
  <RecordPanel {...props} get="funding_events.get" nouns={fundingNouns}>
    {(record) => <FundingDetail key={record.id} {...record} />}
  </RecordPanel>
)
