'use client'

import { Status } from '@/components/kits/record/status'
import { Button } from '@/components/ui/button'
import type { PlanFacts } from '@/lib/domain/payment-plan'

type ChosenPaykeyProps = { facts: PlanFacts; error: string | undefined; onChange: () => void }

/** The bank account that was chosen and whose it is, with the way to choose another. */
export function ChosenPaykey({ facts, error, onChange }: ChosenPaykeyProps) {
  const { paykey, customer } = facts
  return (
    <div className="grid gap-1 sm:col-span-2">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded border border-accent bg-surface px-3 py-1">
        {customer.state === 'known' ? (
          <>
            <bdi className="font-medium">{customer.value.name}</bdi>
            <Status kind="customer" status={customer.value.status} />
          </>
        ) : (
          <span className="text-ink-3">{customer.state === 'loading' ? 'Reading the customer…' : customer.why}</span>
        )}
        {paykey.state === 'known' ? (
          <>
            <bdi>{paykey.value.label ?? 'Bank account without a label'}</bdi>
            <Status kind="paykey" status={paykey.value.status} />
          </>
        ) : (
          <span className="text-ink-3">{paykey.state === 'loading' ? 'Reading the bank account…' : paykey.why}</span>
        )}
        <Button size="small" className="ml-auto" onClick={onChange}>
          Choose another
        </Button>
      </div>
      {error && <p className="font-medium text-bad text-xs">{error}</p>}
    </div>
  )
}
