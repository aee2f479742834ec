'use client'

import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { Status } from '@/components/kits/record/status'
import { ShortId } from '@/components/ui/short-id'
import { dayText } from '@/lib/dates'
import type { ChainStep } from '@/lib/domain/payment-chain'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { recordPath } from '@/lib/routes'
import { paymentNouns } from './payment-nouns'
import { StripArrow, StripCard } from './strip-card'
import { useChain } from './use-chain'

type ChainStripProps = { kind: PaymentKind; payment: Payment; account: string | null }

/** The payments that belong together: the original, its second tries in order, and each refund below the charge it pays back. */
export function ChainStrip({ kind, payment, account }: ChainStripProps) {
  const { steps, reading, cut } = useChain(kind, payment)
  const columns = columnsOf(steps)
  return (
    <Panel title="Related payments" aside={reading && <span className="text-ink-3 text-xs">reading…</span>}>
      <ol aria-label="Related payments" className="flex flex-wrap items-start gap-x-1.5 gap-y-2">
        {columns.map(({ step, below }, at) => (
          <li key={step.id} className="flex items-start gap-1.5">
            {at > 0 && <StripArrow />}
            <div className="grid gap-1.5">
              <Step step={step} current={payment.id} account={account} />
              {below.length > 0 && (
                <ul className="grid gap-1.5 border-line border-l-2 pl-3">
                  {below.map((branch) => (
                    <li key={branch.id}>
                      <Step step={branch} current={payment.id} account={account} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ol>
      {cut && <p className="mt-2 text-ink-3 text-xs">There are more than are shown here; open the last one to follow them.</p>}
    </Panel>
  )
}

type Column = { step: ChainStep; below: ChainStep[] }

/** The main line, each with what hangs off it. */
function columnsOf(steps: readonly ChainStep[]): Column[] {
  const columns: Column[] = []
  for (const step of steps) {
    const last = columns.at(-1)
    if (step.depth === 0 || !last) columns.push({ step, below: [] })
    else last.below.push(step)
  }
  return columns
}

const relations: Readonly<Record<ChainStep['as'], string>> = {
  original: 'First try',
  resubmit: 'Sent again',
  refund: 'Refund',
  related: 'Related',
}

function Step({ step, current, account }: { step: ChainStep; current: string; account: string | null }) {
  const desk = useDesk()
  const nouns = step.kind && paymentNouns[step.kind]
  const what = nouns ? `${relations[step.as]}, ${nouns.one}` : relations[step.as]
  const href = nouns ? recordPath(desk.environment, nouns.resource, step.id, { account: account ?? desk.account }) : undefined
  if (!step.payment) {
    return (
      <StripCard kind={what} name={<ShortId id={step.id} />} href={href} current={step.id === current}>
        <span className="text-ink-3">{step.why}</span>
      </StripCard>
    )
  }
  const { amount, currency, status, payment_date } = step.payment
  return (
    <StripCard
      kind={what}
      name={<Amount raw={amount} currency={currency} unit={desk.amountUnit} />}
      href={href}
      current={step.id === current}
    >
      <Status kind="payment" status={status} />
      <span className="text-ink-3">{payment_date ? dayText(payment_date) : 'date unknown'}</span>
    </StripCard>
  )
}
