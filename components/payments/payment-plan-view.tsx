'use client'

import { useEffect, useRef } from 'react'
import { type Warnings, WarningTicks } from '@/components/kits/action/warning-ticks'
import { CheckList } from '@/components/kits/record/check-list'
import type { Check } from '@/lib/domain/fact'
import { type Plan, type PlanFacts, planText } from '@/lib/domain/payment-plan'
import { formatMinor } from '@/lib/money'
import { PartyWords } from './decision-sentence'
import { paymentNouns } from './payment-nouns'

type PaymentPlanViewProps = {
  plan: Plan
  description: string
  /** The sentence of the reason, as typed. */
  reason: string
  facts: PlanFacts
  checks: readonly Check[]
  account: string
  warnings: Warnings
}

/** The whole of a new payment in a sentence, before it is sent: what, how much, whose, when; the checks; and what has to be ticked. */
export function PaymentPlanView({ plan, description, reason, facts, checks, account, warnings }: PaymentPlanViewProps) {
  const { verb, way } = paymentNouns[plan.kind]
  const customer = facts.customer.state === 'known' ? facts.customer.value.name : undefined
  const bank = facts.paykey.state === 'known' ? facts.paykey.value.label : undefined
  const section = useRef<HTMLElement>(null)
  // The fields are gone, so whoever works by keyboard or ear is led to what stands in their place.
  useEffect(() => section.current?.focus(), [])
  return (
    <section ref={section} tabIndex={-1} aria-label="What will be sent" className="grid gap-3 rounded border border-line bg-surface p-3">
      <div className="text-base text-ink-2">
        <p>
          {verb}{' '}
          <strong className="font-semibold text-ink">{plan.cents === null ? 'an unclear amount' : `${formatMinor(plan.cents)} USD`}</strong>{' '}
          (<code className="font-mono text-xs">{plan.cents}</code> cents){' '}
          <PartyWords way={way} customer={customer} bank={bank} account={account} />, on the statement as “
          <bdi className="text-ink">{description.trim()}</bdi>”. <span className="text-ink-3">{planText(plan, facts.now)}</span>
        </p>
        <p className="mt-1 text-sm">
          Reason: <bdi className="text-ink">{reason.trim()}</bdi>
        </p>
      </div>
      <CheckList checks={checks} />
      <WarningTicks warnings={warnings} />
    </section>
  )
}
