'use client'

import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { useNow } from '@/components/kits/layout/browser-state'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ProviderReason } from '@/components/kits/record/provider-reason'
import { MetadataFacts, RecordFacts, RecordTimes } from '@/components/kits/record/record-json'
import { RecordTimeline } from '@/components/kits/record/record-timeline'
import { RevealField } from '@/components/kits/record/reveal'
import { ReadableRecordField } from '@/components/kits/unreadable/unreadable-fields'
import { ShortId } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import { Badge } from '@/components/ui/tone'
import { parseTime } from '@/lib/dates'
import { describeStatusSource } from '@/lib/domain/source-text'
import { getStatusWords } from '@/lib/domain/status'
import { balanceMaxAgeMs } from '@/lib/features/paykeys/checks'
import { canReadBalance, explainPaykey } from '@/lib/features/paykeys/explain-paykey'
import { paykeyNouns } from '@/lib/features/paykeys/labels'
import { getPaykeyReasonText, getPaykeySourceText } from '@/lib/features/paykeys/status-texts'
import type { ActionView } from '@/lib/operations/answer'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { OtherPaykeys } from './other-paykeys'
import { R29PaymentsPanel } from './payments'
import type { PaykeyRelatedReads } from './use-facts'

export function PaykeyVerdict({ paykey }: { paykey: Paykey }) {
  const statusExplanation = explainPaykey(paykey)
  const statusDetails = paykey.status_details
  const reason = getPaykeyReasonText(statusDetails?.reason)
  return (
    <Notice
      tone={getStatusWords('paykey', paykey.status).tone}
      title={
        <span className="text-base">
          {statusExplanation.line}
          {statusDetails?.changed_at && (
            <span className="font-normal text-ink-2">
              {' '}
              since <RelativeTime at={statusDetails.changed_at} />
            </span>
          )}
        </span>
      }
    >
      <p>
        {reason && (
          <>
            By {describeStatusSource(statusDetails?.source)}: {reason}.{' '}
          </>
        )}
        {statusExplanation.follows}
      </p>
      {statusExplanation.clears && (
        <p>
          <span className="text-ink-3">To resolve:</span> {statusExplanation.clears}
          {statusExplanation.who && (
            <>
              {' '}
              <span className="text-ink-3">Who can do this:</span> {statusExplanation.who}.
            </>
          )}
        </p>
      )}
      <ProviderReason details={statusDetails} />
    </Notice>
  )
}

const balanceStateTexts: Readonly<Record<string, string>> = {
  completed: 'read',
  pending: 'a refresh is in progress',
  failed: 'the last refresh failed',
}

export function BalancePanel({
  paykey,
  aside,
  children,
}: {
  paykey: Paykey
  aside: ReactNode
  children: ReactNode
}) {
  const { amountUnit } = usePageContext()
  const now = useNow()
  const { balance } = paykey
  const balanceUpdatedAt = parseTime(balance?.updated_at)
  return (
    <Panel title="Balance" aside={aside}>
      <div className="grid gap-1">
        {balance?.account_balance === undefined ? (
          <p className="text-ink-2">
            <ReadableRecordField field="balance">
              {canReadBalance(paykey.source)
                ? 'Unavailable.'
                : 'Unavailable: the balance of a manually entered bank account cannot be checked.'}
            </ReadableRecordField>
          </p>
        ) : (
          <p className="flex flex-wrap items-baseline gap-2">
            <Amount
              raw={balance.account_balance}
              currency="USD"
              unit={amountUnit}
              className="font-semibold text-xl"
            />
            {balanceUpdatedAt !== null && now - balanceUpdatedAt > balanceMaxAgeMs && (
              <Badge tone="held">old</Badge>
            )}
          </p>
        )}
        {balance?.status && (
          <p className="text-ink-3 text-xs">
            {Object.hasOwn(balanceStateTexts, balance.status)
              ? balanceStateTexts[balance.status]
              : balance.status}
            {balance.updated_at && (
              <>
                , <RelativeTime at={balance.updated_at} />
              </>
            )}
          </p>
        )}
        {children}
      </div>
    </Panel>
  )
}

type PaykeyRecordFactsProps = {
  paykey: Paykey
  account: string | null
  customerName: string | undefined
}

function PaykeyRecordFacts({ paykey, account, customerName }: PaykeyRecordFactsProps) {
  const { bank_data, config } = paykey
  return (
    <RecordFacts nouns={paykeyNouns} record={paykey}>
      <FactList>
        <Fact name="Bank" field="institution_name">
          <ExternalText>{paykey.institution_name}</ExternalText>
        </Fact>
        <Fact name="Account number">
          <RevealField
            operation="paykeys.unmask"
            id={paykey.id}
            account={account}
            what="the account and routing number"
            names={[customerName]}
            masked={bank_data?.account_number ?? 'hidden'}
          >
            {({ bank_data: numbers }) => (
              <span className="font-mono">
                {numbers?.account_number ?? 'not sent'}, routing{' '}
                {numbers?.routing_number ?? 'not sent'}
              </span>
            )}
          </RevealField>
        </Fact>
        <Fact name="Type" field="bank_data.account_type">
          {bank_data?.account_type}
        </Fact>
        <Fact name="Connected by" field="source">
          {getPaykeySourceText(paykey.source)}
        </Fact>
        <Fact name="Verified" field="config">
          {config?.processing_method && formatProcessingMethod(config.processing_method)}
        </Fact>
        {config?.sandbox_outcome && <Fact name="Sandbox outcome">{config.sandbox_outcome}</Fact>}
        <Fact name="Expires" field="expires_at">
          {paykey.expires_at && <RelativeTime at={paykey.expires_at} />}
        </Fact>
        <RecordTimes record={paykey} />
        <Fact name="External ID" field="external_id">
          {paykey.external_id && <ShortId id={paykey.external_id} what="external ID" />}
        </Fact>
        <Fact name="ID">
          <ShortId id={paykey.id} what="paykey ID" />
        </Fact>
        <MetadataFacts metadata={paykey.metadata} />
      </FactList>
    </RecordFacts>
  )
}

const processingMethodTexts: Readonly<Record<string, string>> = {
  inline: 'when it was connected (inline)',
  background: 'a little after it was connected (background)',
  skip: 'not at all (skip)',
}

const formatProcessingMethod = (method: string) =>
  Object.hasOwn(processingMethodTexts, method) ? processingMethodTexts[method] : method

type PaykeyBackgroundPanelsProps = {
  paykey: Paykey
  account: string | null
  customerName: string | undefined
  facts: PaykeyRelatedReads
  actions: readonly ActionView[]
}

/** The timeline contains only Paydesk's actions: the service keeps no history of a paykey. */
export const PaykeyBackgroundPanels = ({
  paykey,
  account,
  customerName,
  facts,
  actions,
}: PaykeyBackgroundPanelsProps) => (
  <>
    <R29PaymentsPanel lost={facts.lost} usable={paykey.status === 'active'} />
    <OtherPaykeys paykey={paykey} siblings={facts.siblings} alike={facts.alike} />
    {actions.length > 0 ? (
      <RecordTimeline history={[]} actions={actions} />
    ) : (
      <Panel title="Timeline">
        <p className="text-ink-3">
          No activity in Paydesk yet. The service keeps no history of a paykey.
        </p>
      </Panel>
    )}
    <PaykeyRecordFacts paykey={paykey} account={account} customerName={customerName} />
  </>
)
