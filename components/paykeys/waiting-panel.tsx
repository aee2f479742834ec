'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { FactRead } from '@/components/kits/record/fact-read'
import { effectOn, type PaykeyTurn, sumOf, waitingStates } from '@/lib/domain/paykey-payments'
import { formatMinor } from '@/lib/money'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { listPath } from '@/lib/routes'
import { PaymentLine } from './payment-line'
import { type PaykeyReads, totalOf } from './use-paykey-facts'

const shown = 8

/** The payments that wait on a paykey, what they come to, and what a decision is expected to do to each. */
export function WaitingPanel({ paykey, waiting }: { paykey: Paykey; waiting: PaykeyReads['waiting'] }) {
  const desk = useDesk()
  const all = listPath(desk.environment, 'payments', {
    account: desk.account,
    paykey_id: paykey.id,
    payment_status: waitingStates,
  })
  return (
    <Panel
      title="Payments that wait on it"
      aside={
        <Link href={all} className="text-accent text-xs hover:underline">
          All of them
        </Link>
      }
    >
      <div className="min-h-46">
        <FactRead fact={waiting.fact} onAgain={waiting.again}>
          {(payments) =>
            payments.length === 0 ? (
              <p className="text-ink-3">None is created or on hold.</p>
            ) : (
              <div className="grid gap-2">
                <WaitingSum payments={payments} total={totalOf(waiting)} />
                {paykey.status === 'review' && <Expected payments={payments} />}
                <ul className="grid">
                  {payments.slice(0, shown).map((payment) => (
                    <PaymentLine key={payment.id} payment={payment}>
                      {payment.status_details?.message && (
                        <bdi className="min-w-0 truncate text-ink-3 text-xs">{payment.status_details.message}</bdi>
                      )}
                    </PaymentLine>
                  ))}
                </ul>
                {payments.length > shown && <p className="text-ink-3 text-xs">and {payments.length - shown} more</p>}
              </div>
            )
          }
        </FactRead>
      </div>
    </Panel>
  )
}

/** Their count and sums; where not all were read it says so. */
export function WaitingSum({ payments, total }: { payments: readonly PaymentSummary[]; total: number | undefined }) {
  const { amountUnit } = useDesk()
  const { count, charges, payouts, unreadable } = sumOf(payments, amountUnit)
  const parts = [charges > 0 && `${formatMinor(charges)} USD to collect`, payouts > 0 && `${formatMinor(payouts)} USD to pay out`]
  return (
    <p>
      <strong className="font-semibold">
        {count} {count === 1 ? 'payment' : 'payments'}
      </strong>
      {parts.some(Boolean) && `: ${parts.filter(Boolean).join(', ')}`}
      {unreadable > 0 && `; ${unreadable} with an amount in an unclear unit`}
      {total !== undefined && total > count && `; the sums are of ${count} of ${total}`}.
    </p>
  )
}

const turnWords = { approve: 'Approved', reject: 'Rejected' } as const

/** What each outcome is expected to do, side by side. */
const Expected = ({ payments }: { payments: readonly PaymentSummary[] }) => (
  <div className="grid gap-0.5 rounded-sm bg-sunken px-3 py-2 text-sm">
    <dl className="grid gap-x-3 gap-y-0.5 sm:grid-cols-[5rem_minmax(0,1fr)]">
      {(['approve', 'reject'] as const).map((turn) => (
        <div key={turn} className="contents">
          <dt className="text-ink-3">{turnWords[turn]}</dt>
          <dd>{expectedText(payments, turn)}</dd>
        </div>
      ))}
    </dl>
    <p className="text-ink-3 text-xs">Expected: the provider does not write down what a decision does to waiting payments.</p>
  </div>
)

const moveWords = {
  goes_on: (count: number) => `${count} ${count === 1 ? 'goes' : 'go'} on`,
  fails: (count: number) => `${count} ${count === 1 ? 'fails' : 'fail'}`,
  stays: (count: number) => `${count} ${count === 1 ? 'stays' : 'stay'} on hold for another reason`,
} as const

/** In words how many go on, fail and stay after a turn of their paykey. */
export function expectedText(payments: readonly PaymentSummary[], turn: PaykeyTurn): string {
  const counts = { goes_on: 0, fails: 0, stays: 0 }
  for (const payment of payments) counts[effectOn(payment, turn).moves] += 1
  const parts = (['goes_on', 'fails', 'stays'] as const).filter((moves) => counts[moves] > 0)
  return `${parts.map((moves) => moveWords[moves](counts[moves])).join(', ')}.`
}
