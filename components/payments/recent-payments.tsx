'use client'

import Link from 'next/link'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Status } from '@/components/kits/record/status'
import { ShortId } from '@/components/ui/short-id'
import type { Fact } from '@/lib/domain/fact'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { listPath, recordPath } from '@/lib/routes'
import { paymentNouns } from './payment-nouns'

type RecentPaymentsProps = { kind: PaymentKind; payment: Payment; recent: Fact<readonly PaymentSummary[]> }

/** What else of this kind moved on the same bank account. */
export function RecentPayments({ kind, payment, recent }: RecentPaymentsProps) {
  const desk = useDesk()
  const { resource, one, many } = paymentNouns[kind]
  const others = recent.state === 'known' ? recent.value.filter((other) => other.id !== payment.id) : []
  const paykey = payment.paykey_details?.id
  const all = paykey && listPath(desk.environment, resource, { account: desk.account, tab: 'all', paykey_id: paykey })
  return (
    <Panel
      title="Same bank account, last 7 days"
      aside={
        all && (
          <Link href={all} className="text-accent text-xs hover:underline">
            All its {many}
          </Link>
        )
      }
    >
      {recent.state === 'missing' && <p className="text-ink-2">{recent.why}</p>}
      {recent.state === 'known' && others.length === 0 && <p className="text-ink-3">No other {one}.</p>}
      <ul className="grid gap-1">
        {others.slice(0, 8).map((other) => (
          <Other key={other.id} kind={kind} other={other} same={other.amount === payment.amount} />
        ))}
      </ul>
    </Panel>
  )
}

function Other({ kind, other, same }: { kind: PaymentKind; other: PaymentSummary; same: boolean }) {
  const desk = useDesk()
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Link
        href={recordPath(desk.environment, paymentNouns[kind].resource, other.id, { account: desk.account })}
        className="text-accent hover:underline"
      >
        <ShortId id={other.id} />
      </Link>
      <Amount
        raw={other.amount}
        currency={other.currency}
        unit={desk.amountUnit}
        className={same ? 'font-semibold text-held' : undefined}
      />
      {same && <span className="text-held text-xs">same amount</span>}
      <Status kind="payment" status={other.status} />
      <RelativeTime at={other.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}
