'use client'

import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel, RecordStatusBadge } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { ShortId } from '@/components/ui/copy-button'
import { getScopeForListLink, toOtherAccountSuffix } from '@/lib/client/page-context'
import { formatBankLabel } from '@/lib/domain/bank-label'
import { parsePaymentKind, resourceByKind } from '@/lib/domain/payment-kind'
import { findTotalRowCount, toCountText } from '@/lib/operations/list-count'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { connectBankAccountPath, listPath, recordPath } from '@/lib/routes'
import type { CustomerRelatedReads } from './use-facts'

type CustomerLinksProps = { id: string; account: string | null; facts: CustomerRelatedReads }

const RelatedListLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="text-accent text-xs hover:underline print:hidden">
    {children}
  </Link>
)

export function CustomerLinks({ id, account, facts }: CustomerLinksProps) {
  const context = usePageContext()
  const listScope = getScopeForListLink(context, account)
  const otherAccountSuffix = toOtherAccountSuffix(context, account)
  const [payments, paykeys] = [facts.payments, facts.paykeys]
  return (
    <>
      <Panel
        title="Payments"
        aside={
          <RelatedListLink href={listPath(listScope, 'payments', { customer_id: id })}>
            {formatListLinkText(payments.meta?.total_items) + otherAccountSuffix}
          </RelatedListLink>
        }
      >
        <ReadResultBlock read={payments} onAgain={payments.again} height="h-20">
          {(latest) =>
            latest.length === 0 ? (
              <p className="text-ink-3">No payments yet.</p>
            ) : (
              <>
                <PendingPaymentsNote waiting={facts.waiting} />
                <ul aria-label="Latest payments" className="grid gap-1">
                  {latest.map((payment) => (
                    <PaymentRow key={payment.id} payment={payment} account={account} />
                  ))}
                </ul>
              </>
            )
          }
        </ReadResultBlock>
      </Panel>
      <Panel
        title="Bank accounts"
        aside={
          <span className="flex gap-3">
            <RelatedListLink href={connectBankAccountPath(context, { account, customer: id })}>
              Connect one…
            </RelatedListLink>
            <RelatedListLink href={listPath(listScope, 'paykeys', { tab: 'all', customer_id: id })}>
              {formatListLinkText(paykeys.meta?.total_items) + otherAccountSuffix}
            </RelatedListLink>
          </span>
        }
      >
        <ReadResultBlock read={paykeys} onAgain={paykeys.again} height="h-5">
          {(found) =>
            found.length === 0 ? (
              <p className="text-ink-3">No bank account is connected.</p>
            ) : (
              <ul aria-label="Bank accounts" className="grid gap-1">
                {found.map((paykey) => (
                  <PaykeyRow key={paykey.id} paykey={paykey} account={account} />
                ))}
              </ul>
            )
          }
        </ReadResultBlock>
      </Panel>
    </>
  )
}

const formatListLinkText = (total: number | undefined) =>
  total === undefined ? 'All' : `All ${toCountText(total)}`

function PendingPaymentsNote({ waiting }: { waiting: CustomerRelatedReads['waiting'] }) {
  if (!waiting.data) return null
  const pendingPaymentTotal = findTotalRowCount(
    { data: waiting.data, meta: waiting.meta ?? {} },
    { size: 1 },
  )
  if (pendingPaymentTotal === null)
    return <p className="mb-2 text-held text-sm">Payments are pending.</p>
  if (pendingPaymentTotal === 0) return null
  return (
    <p className="mb-2 text-held text-sm">
      {pendingPaymentTotal === 1
        ? '1 payment is pending.'
        : `${pendingPaymentTotal.toLocaleString('en-US')} payments are pending.`}
    </p>
  )
}

function PaymentRow({ payment, account }: { payment: PaymentSummary; account: string | null }) {
  const context = usePageContext()
  const { amountUnit } = context
  const kind = parsePaymentKind(payment.payment_type)
  const paymentHref = kind
    ? recordPath(context, resourceByKind[kind], payment.id, { account })
    : listPath(getScopeForListLink(context, account), 'payments', { payment_id: payment.id })
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Link href={paymentHref} className="text-accent hover:underline">
        <span className="capitalize">{payment.payment_type || 'payment'}</span>{' '}
        <ShortId id={payment.id} />
      </Link>
      <Amount raw={payment.amount} currency={payment.currency} unit={amountUnit} />
      <RecordStatusBadge kind="payment" status={payment.status} />
      <RelativeTime at={payment.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}

function PaykeyRow({ paykey, account }: { paykey: PaykeySummary; account: string | null }) {
  const context = usePageContext()
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Link
        href={recordPath(context, 'paykeys', paykey.id, { account })}
        className="min-w-0 truncate text-accent hover:underline"
      >
        <ExternalText>
          {formatBankLabel(paykey.label ?? paykey.institution_name ?? 'Bank account')}
        </ExternalText>
      </Link>
      <RecordStatusBadge kind="paykey" status={paykey.status} />
      <RelativeTime at={paykey.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}
