'use client'

import { Amount } from '@/components/kits/layout/amount'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { UnreadableRows } from '@/components/kits/unreadable/unreadable-rows'
import { ShortId } from '@/components/ui/copy-button'
import { getScopeForListLink, toOtherAccountSuffix } from '@/lib/client/page-context'
import type { ReadResult } from '@/lib/domain/check'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { paymentNouns } from '@/lib/features/payments/labels'
import { capitalizeFirst } from '@/lib/formats'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { listPath, recordPath } from '@/lib/routes'
import type { PaymentRelatedReads } from './use-facts'

type RecentPaymentsProps = {
  kind: PaymentKind
  payment: Payment
  recent: ReadResult<readonly PaymentSummary[]>
}

export function RecentPayments({ kind, payment, recent }: RecentPaymentsProps) {
  const context = usePageContext()
  const { resource, one, many } = paymentNouns[kind]
  const otherPayments = recent.data?.filter((other) => other.id !== payment.id) ?? []
  const paykeyId = payment.paykey_details?.id
  const allPaymentsHref =
    paykeyId &&
    listPath(getScopeForListLink(context, context.account), resource, {
      tab: 'all',
      paykey_id: paykeyId,
    })
  return (
    <Panel
      title="Same bank account, last 7 days"
      aside={
        allPaymentsHref && (
          <Link
            href={allPaymentsHref}
            className="inline-block min-h-6 text-accent text-xs leading-6 hover:underline"
          >
            All its {many}
            {toOtherAccountSuffix(context, context.account)}
          </Link>
        )
      }
    >
      {recent.error !== undefined && <p className="text-ink-2">{recent.error}</p>}
      {recent.data && otherPayments.length === 0 && !recent.unread && (
        <p className="text-ink-3">No other {one}.</p>
      )}
      <ul className="grid gap-1">
        {otherPayments.slice(0, 8).map((other) => (
          <OtherPayment
            key={other.id}
            kind={kind}
            other={other}
            same={other.amount === payment.amount}
          />
        ))}
      </ul>
      <UnreadableRows rows={recent.unread ?? []} one={one} />
    </Panel>
  )
}

function OtherPayment({
  kind,
  other,
  same,
}: {
  kind: PaymentKind
  other: PaymentSummary
  same: boolean
}) {
  const context = usePageContext()
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Link
        href={recordPath(context, paymentNouns[kind].resource, other.id, {
          account: context.account,
        })}
        className="text-accent hover:underline"
      >
        <ShortId id={other.id} />
      </Link>
      <Amount
        raw={other.amount}
        currency={other.currency}
        unit={context.amountUnit}
        className={same ? 'font-semibold text-held' : undefined}
      />
      {same && <span className="text-held text-xs">same amount</span>}
      <RecordStatusBadge kind="payment" status={other.status} />
      <RelativeTime at={other.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}

/** Each read can fail without affecting the other. */
export const PaymentParties = ({
  payment,
  facts,
}: {
  payment: Payment
  facts: PaymentRelatedReads
}) => (
  <>
    <Panel title="Customer">
      <ReadResultBlock read={facts.customer} onAgain={facts.again}>
        {(customer) => (
          <FactList>
            <Fact name="Name">
              <ExternalText>{customer.name}</ExternalText>
            </Fact>
            <Fact name="Status">
              <RecordStatusBadge kind="customer" status={customer.status} />
            </Fact>
            <Fact name="Type">{customer.type && capitalizeFirst(customer.type)}</Fact>
            <Fact name="Contact">
              {[customer.email, customer.phone].filter(Boolean).join(' · ')}
            </Fact>
            <Fact name="Location">
              {[customer.address?.city, customer.address?.state].filter(Boolean).join(', ')}
            </Fact>
            <Fact name="Customer since">
              {customer.created_at && <RelativeTime at={customer.created_at} />}
            </Fact>
            <Fact name="ID">
              <ShortId id={customer.id} what="customer ID" />
            </Fact>
          </FactList>
        )}
      </ReadResultBlock>
    </Panel>
    <Panel title="Bank account">
      <ReadResultBlock read={facts.paykey} onAgain={facts.again}>
        {(paykey) => <PaykeyFacts paykey={paykey} currency={payment.currency} />}
      </ReadResultBlock>
    </Panel>
  </>
)

function PaykeyFacts({ paykey, currency }: { paykey: Paykey; currency: string }) {
  const { amountUnit } = usePageContext()
  const balance = paykey.balance
  return (
    <FactList>
      <Fact name="Account">
        <ExternalText>
          {[
            paykey.institution_name,
            paykey.bank_data?.account_type,
            paykey.bank_data?.account_number,
          ]
            .filter(Boolean)
            .join(' · ')}
        </ExternalText>
      </Fact>
      <Fact name="Status">
        <RecordStatusBadge kind="paykey" status={paykey.status} />
      </Fact>
      <Fact name="Why">
        {paykey.status_details?.message && (
          <ExternalText>{paykey.status_details.message}</ExternalText>
        )}
      </Fact>
      <Fact name="Connected by">
        {paykey.source && capitalizeFirst(paykey.source.replaceAll('_', ' '))}
      </Fact>
      <Fact name="Balance">
        {balance?.account_balance !== undefined && (
          <>
            <Amount raw={balance.account_balance} currency={currency} unit={amountUnit} />{' '}
            <span className="text-ink-3 text-xs">
              {balance.status === 'completed' ? 'as of' : `${balance.status},`}{' '}
              <RelativeTime at={balance.updated_at} show="ago" />
            </span>
          </>
        )}
      </Fact>
      <Fact name="Expires">{paykey.expires_at && <RelativeTime at={paykey.expires_at} />}</Fact>
      <Fact name="ID">
        <ShortId id={paykey.id} what="paykey ID" />
      </Fact>
    </FactList>
  )
}
