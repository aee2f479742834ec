'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { lostToR29 } from '@/lib/domain/paykey-payments'
import { whyNotAllowed } from '@/lib/domain/permissions'
import type { PaymentSummary } from '@/lib/operations/payments.schema'
import { PaymentLine, usePaymentHref } from './payment-line'
import type { PaykeyReads } from './use-paykey-facts'

/** The payments of a paykey that came to nothing through R29; empty while they are not known. */
export const lostOf = ({ fact }: PaykeyReads['lost']): PaymentSummary[] => (fact.state === 'known' ? fact.value.filter(lostToR29) : [])

/** What the block cost: every payment lost to R29 and, once the paykey is usable, the way to send it again. */
export function LostPanel({ lost, usable }: { lost: PaykeyReads['lost']; usable: boolean }) {
  const payments = lostOf(lost)
  if (payments.length === 0) return null
  return (
    <Panel title="Lost to R29">
      <LostPayments payments={payments} usable={usable} />
    </Panel>
  )
}

export const LostPayments = ({ payments, usable }: { payments: readonly PaymentSummary[]; usable: boolean }) => (
  <ul aria-label="Payments lost to R29" className="grid">
    {payments.map((payment) => (
      <PaymentLine key={payment.id} payment={payment}>
        <Again payment={payment} usable={usable} />
      </PaymentLine>
    ))}
  </ul>
)

function Again({ payment, usable }: { payment: PaymentSummary; usable: boolean }) {
  const { person } = useDesk()
  const hrefOf = usePaymentHref()
  if (payment.has_resubmit) return <span className="text-ink-3 text-xs">was sent again</span>
  const operation = payment.payment_type === 'payout' ? 'payouts.resubmit' : 'charges.resubmit'
  const closed = whyNotAllowed(person.roles, operation) ?? (usable ? null : 'It would fail again: the bank account cannot be used.')
  if (closed !== null) {
    return (
      <Button size="small" disabledReason={closed}>
        Resubmit…
      </Button>
    )
  }
  return (
    <Link href={hrefOf(payment, { do: 'resubmit' })} className={buttonVariants({ size: 'small' })}>
      Resubmit…<span className="sr-only"> {payment.id.slice(-6)}</span>
    </Link>
  )
}
