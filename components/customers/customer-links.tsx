'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { FactRead } from '@/components/kits/record/fact-read'
import { Status } from '@/components/kits/record/status'
import { ShortId } from '@/components/ui/short-id'
import type { PaykeySummary } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { deskPath, listPath, recordPath } from '@/lib/routes'
import type { CustomerFacts } from './use-customer-facts'

type CustomerLinksProps = { id: string; account: string | null; facts: CustomerFacts }

const All = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="text-accent text-xs hover:underline print:hidden">
    {children}
  </Link>
)

/** The customer's payments and bank accounts: the newest of each, how many there are, how many payments wait. */
export function CustomerLinks({ id, account, facts }: CustomerLinksProps) {
  const { environment } = useDesk()
  const scope = { account }
  const [payments, paykeys] = [facts.payments, facts.paykeys]
  return (
    <>
      <Panel
        title="Payments"
        aside={<All href={listPath(environment, 'payments', { ...scope, customer_id: id })}>{countText(payments.meta?.total_items)}</All>}
      >
        <div className="min-h-38">
          <FactRead fact={payments.fact} onAgain={payments.again} height="h-38">
            {(latest) =>
              latest.length === 0 ? (
                <p className="text-ink-3">No payments yet.</p>
              ) : (
                <>
                  <Waiting waiting={facts.waiting} />
                  <ul aria-label="Latest payments" className="grid gap-1">
                    {latest.map((payment) => (
                      <PaymentRow key={payment.id} payment={payment} account={account} />
                    ))}
                  </ul>
                </>
              )
            }
          </FactRead>
        </div>
      </Panel>
      <Panel
        title="Bank accounts"
        aside={
          <span className="flex gap-3">
            <All href={deskPath(environment, '/connect', { ...scope, customer: id })}>Connect one…</All>
            <All href={listPath(environment, 'paykeys', { ...scope, tab: 'all', customer_id: id })}>
              {countText(paykeys.meta?.total_items)}
            </All>
          </span>
        }
      >
        <FactRead fact={paykeys.fact} onAgain={paykeys.again} height="h-5">
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
        </FactRead>
      </Panel>
    </>
  )
}

const countText = (total: number | undefined) => (total === undefined ? 'All' : `All ${total.toLocaleString('en-US')}`)

function Waiting({ waiting }: { waiting: CustomerFacts['waiting'] }) {
  if (waiting.fact.state !== 'known') return null
  const total = waiting.meta?.total_items
  if (!total) return null
  return (
    <p className="mb-2 text-held text-sm">
      {total === 1 ? '1 payment waits or is on its way.' : `${total.toLocaleString('en-US')} payments wait or are on their way.`}
    </p>
  )
}

function PaymentRow({ payment, account }: { payment: PaymentSummary; account: string | null }) {
  const { environment, amountUnit } = useDesk()
  const resource = payment.payment_type === 'charge' ? 'charges' : 'payouts'
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Link href={recordPath(environment, resource, payment.id, { account })} className="text-accent hover:underline">
        <span className="capitalize">{payment.payment_type}</span> <ShortId id={payment.id} />
      </Link>
      <Amount raw={payment.amount} currency={payment.currency} unit={amountUnit} />
      <Status kind="payment" status={payment.status} />
      <RelativeTime at={payment.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}

function PaykeyRow({ paykey, account }: { paykey: PaykeySummary; account: string | null }) {
  const { environment } = useDesk()
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Link href={recordPath(environment, 'paykeys', paykey.id, { account })} className="min-w-0 truncate text-accent hover:underline">
        <bdi>{paykey.label ?? paykey.institution_name ?? 'Bank account'}</bdi>
      </Link>
      <Status kind="paykey" status={paykey.status} />
      <RelativeTime at={paykey.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}
