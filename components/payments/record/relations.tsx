'use client'

import { Amount } from '@/components/kits/layout/amount'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { useRelatedRead } from '@/components/kits/record/side-reads'
import { IfUnreadable, ReadableRecordField } from '@/components/kits/unreadable/unreadable-fields'
import { ShortId } from '@/components/ui/copy-button'
import { getAccountName } from '@/lib/client/page-context'
import { formatBankLabel } from '@/lib/domain/bank-label'
import { isLoading, type ReadResult } from '@/lib/domain/check'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { paymentNouns } from '@/lib/features/payments/labels'
import { recordPath } from '@/lib/routes'
import { RelatedRecordCard, RelationArrow } from './strip-card'
import { PaymentChainPanel } from './trail'
import type { PaymentRelatedReads } from './use-facts'

type MoneyFlowPanelProps = {
  kind: PaymentKind
  payment: Payment
  facts: PaymentRelatedReads
  account: string | null
}

/**
 * The most funding events that are shown, because each costs one read of its status. A payment
 * rarely has more.
 */
const maxFundingEvents = 3

function MoneyFlowPanel({ kind, payment, facts, account }: MoneyFlowPanelProps) {
  const context = usePageContext()
  const scope = { account: account ?? context.account }
  const { customer_details: customer, paykey_details: paykey } = payment
  const isPayout = kind === 'payout'
  const isMarketplace = context.integration === 'marketplace'
  const stepClasses = 'flex min-w-0 items-start gap-1.5'
  return (
    <Panel title="Money flow">
      {/* Two cards in each row, or all in one: a single card is never left over. */}
      <ol
        aria-label="Money flow"
        className="grid grid-cols-2 items-start gap-x-1.5 gap-y-2 @2xl:flex @2xl:flex-wrap"
      >
        <li className={stepClasses}>
          <RelatedRecordCard
            kind={isMarketplace ? 'Buyer' : 'Customer'}
            name={<ExternalText>{customer?.name ?? 'unknown'}</ExternalText>}
            href={customer?.id ? recordPath(context, 'customers', customer.id, scope) : undefined}
          >
            <RelatedStatus read={facts.customer} kind="customer" />
          </RelatedRecordCard>
        </li>
        <li className={stepClasses}>
          <RelationArrow back={isPayout} />
          <RelatedRecordCard
            kind="Bank account"
            name={<ExternalText>{formatBankLabel(paykey?.label ?? 'unknown')}</ExternalText>}
            href={paykey?.id ? recordPath(context, 'paykeys', paykey.id, scope) : undefined}
          >
            <RelatedStatus read={facts.paykey} kind="paykey" />
          </RelatedRecordCard>
        </li>
        <li className={stepClasses}>
          <RelationArrow back={isPayout} />
          <RelatedRecordCard
            kind={paymentNouns[kind].title}
            name={
              <Amount raw={payment.amount} currency={payment.currency} unit={context.amountUnit} />
            }
            current
          >
            <RecordStatusBadge kind="payment" status={payment.status} />
          </RelatedRecordCard>
        </li>
        {payment.funding_ids.length === 0 && (
          <li className={stepClasses}>
            <RelationArrow back={isPayout} />
            <RelatedRecordCard
              kind="Funding event"
              name={
                <span className="font-normal text-ink-3">
                  <ReadableRecordField field="funding_ids">none yet</ReadableRecordField>
                </span>
              }
            />
          </li>
        )}
        {payment.funding_ids.slice(0, maxFundingEvents).map((id) => (
          <li key={id} className={stepClasses}>
            <RelationArrow back={isPayout} />
            <FundingEventCard id={id} account={scope.account} />
          </li>
        ))}
        {isMarketplace && (
          <li className={stepClasses}>
            <RelationArrow back={isPayout} />
            <SellerCard account={account} />
          </li>
        )}
      </ol>
      {payment.funding_ids.length > maxFundingEvents && (
        <p className="mt-2 text-ink-3 text-xs">
          {payment.funding_ids.length - maxFundingEvents} more funding events are listed in the
          record below.
        </p>
      )}
    </Panel>
  )
}

/** In a marketplace, the customer belongs to the platform and the payment to an account. */
function SellerCard({ account }: { account: string | null }) {
  const context = usePageContext()
  if (account === null) return <RelatedRecordCard kind="Seller" name="not known yet" />
  const accountId = account.replace(/^acct_/, '')
  return (
    <RelatedRecordCard
      kind="Seller"
      name={<ExternalText>{getAccountName(context, account)}</ExternalText>}
      href={recordPath(context, 'accounts', accountId, { account })}
    />
  )
}

function RelatedStatus({
  read,
  kind,
}: {
  read: ReadResult<{ status: string }>
  kind: 'customer' | 'paykey' | 'funding_event'
}) {
  if (read.data) return <RecordStatusBadge kind={kind} status={read.data.status} />
  return <span className="text-ink-3">{isLoading(read) ? 'reading…' : 'status unknown'}</span>
}

function FundingEventCard({ id, account }: { id: string; account: string | null }) {
  const context = usePageContext()
  const eventRead = useRelatedRead(context, 'funding_events.get', { id })
  return (
    <RelatedRecordCard
      kind="Funding event"
      name={<ShortId id={id} />}
      href={recordPath(context, 'funding_events', id, { account })}
    >
      <RelatedStatus read={eventRead} kind="funding_event" />
    </RelatedRecordCard>
  )
}

type PaymentRelationsProps = {
  kind: PaymentKind
  payment: Payment
  facts: PaymentRelatedReads
  account: string | null
}

export const PaymentRelations = ({ kind, payment, facts, account }: PaymentRelationsProps) => (
  <>
    <IfUnreadable field="related_payments">
      <Panel title="Related payments">
        <ReadableRecordField field="related_payments">Some of them:</ReadableRecordField>
      </Panel>
    </IfUnreadable>
    {payment.related_payments.length > 0 && (
      <PaymentChainPanel kind={kind} payment={payment} account={account} />
    )}
    <MoneyFlowPanel kind={kind} payment={payment} facts={facts} account={account} />
  </>
)
