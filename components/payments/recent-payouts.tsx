'use client'

import Link from 'next/link'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ShortId } from '@/components/ui/short-id'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Fact } from '@/lib/domain/fact'
import { statusWords } from '@/lib/domain/status'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import type { Payout } from '@/lib/operations/payouts.schema'
import { payoutPath, payoutsPath } from '@/lib/routes'

/** What else went to the same bank account, and which payments belong to this one. */
export function RecentPayouts({ payout, recent }: { payout: Payout; recent: Fact<readonly PaymentSummary[]> }) {
  const desk = useDesk()
  const others = recent.state === 'known' ? recent.value.filter((other) => other.id !== payout.id) : []
  const paykey = payout.paykey_details?.id
  const all = paykey && payoutsPath(desk.environment, { account: desk.account, tab: 'all', paykey_id: paykey })
  return (
    <>
      {payout.related_payments.length > 0 && (
        <Panel title="Related payments">
          <ul className="grid gap-1">
            {payout.related_payments.map((related) => (
              <li key={related.id} className="flex flex-wrap items-center gap-x-2">
                <span className="capitalize">{related.relationship}</span>
                <span className="text-ink-3">{related.payment_type}</span>
                {related.payment_type === 'payout' ? (
                  <Link href={payoutPath(desk.environment, related.id)} className="text-accent hover:underline">
                    <ShortId id={related.id} />
                  </Link>
                ) : (
                  <ShortId id={related.id} what={`${related.payment_type} id`} />
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel
        title="Same bank account, last 7 days"
        aside={
          all && (
            <Link href={all} className="text-accent text-xs hover:underline">
              All its payouts
            </Link>
          )
        }
      >
        {recent.state === 'missing' && <p className="text-ink-2">{recent.why}</p>}
        {recent.state === 'known' && others.length === 0 && <p className="text-ink-3">No other payout.</p>}
        <ul className="grid gap-1">
          {others.slice(0, 8).map((other) => (
            <Other key={other.id} other={other} same={other.amount === payout.amount} />
          ))}
        </ul>
      </Panel>
    </>
  )
}

function Other({ other, same }: { other: PaymentSummary; same: boolean }) {
  const desk = useDesk()
  const words = statusWords('payment', other.status)
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Link href={payoutPath(desk.environment, other.id)} className="text-accent hover:underline">
        <ShortId id={other.id} />
      </Link>
      <Amount
        raw={other.amount}
        currency={other.currency}
        unit={desk.amountUnit}
        className={same ? 'font-semibold text-held' : undefined}
      />
      {same && <span className="text-held text-xs">same amount</span>}
      <StatusBadge tone={words.tone}>{words.label}</StatusBadge>
      <RelativeTime at={other.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}
