'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Status } from '@/components/kits/record/status'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { recordPath } from '@/lib/routes'

/** The page of a payment of the search; `search` is added to the account scope. */
export function usePaymentHref(): (payment: Pick<PaymentSummary, 'id' | 'payment_type'>, search?: Record<string, string>) => string {
  const { environment, account } = useDesk()
  return ({ id, payment_type }, search) =>
    recordPath(environment, payment_type === 'payout' ? 'payouts' : 'charges', id, { account, ...search })
}

/** One payment in a line: what it is, how much, its state, how old, and what is said of it here. */
export function PaymentLine({ payment, children }: { payment: PaymentSummary; children?: ReactNode }) {
  const { amountUnit } = useDesk()
  const hrefOf = usePaymentHref()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-b py-1 last:border-b-0">
      <Link href={hrefOf(payment)} className="text-accent hover:underline">
        {payment.payment_type === 'payout' ? 'Payout' : 'Charge'}
        <span className="sr-only"> {payment.id.slice(-6)}</span>
      </Link>
      <Amount raw={payment.amount} currency={payment.currency} unit={amountUnit} className="font-medium" />
      <Status kind="payment" status={payment.status} />
      {children}
      <RelativeTime at={payment.created_at} show="ago" className="ml-auto text-ink-3 text-xs" />
    </li>
  )
}
