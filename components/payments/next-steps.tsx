'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { nextStep } from '@/lib/domain/payment-next'
import { connectPath, recordPath } from '@/lib/routes'
import { laterOf } from './later-payment'
import { paymentNouns } from './payment-nouns'
import type { PaymentFacts } from './use-payment-facts'

/** How a step is taken that is an action of this record: why it is closed, and the way to its form. */
export type Next = { account: string | null; closed: string | null; onResubmit: () => void }

type NextStepsProps = { kind: PaymentKind; payment: Payment; facts: PaymentFacts; next: Next }

/** What follows from a return, with the way there; and the payment that came after, where there is one. */
export function NextSteps({ kind, payment, facts, next }: NextStepsProps) {
  const desk = useDesk()
  const paykey = facts.paykey.state === 'known' ? facts.paykey.value : undefined
  const step = nextStep({ kind, payment, paykeyStatus: paykey?.status, unblockEligible: paykey?.unblock_eligible })
  const account = next.account ?? desk.account
  const scope = { account }
  const button = buttonVariants({ size: 'small' })
  const customer = payment.customer_details?.id
  const paykeyId = payment.paykey_details?.id
  return (
    <>
      {kind === 'charge' && payment.status === 'reversed' && payment.has_refund && (
        <p className="font-medium text-ink">
          It was refunded and came back as well: the customer may have the money twice. Look at the refund first.
        </p>
      )}
      {step && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            <span className="text-ink-3">Next:</span> {step.sentence}
          </span>
          {step.id === 'resubmit' && (
            <Button size="small" disabledReason={next.closed} onClick={next.onResubmit} className="print:hidden">
              Resubmit…
            </Button>
          )}
          {step.id === 'unblock' && paykeyId && (
            <Link href={recordPath(desk.environment, 'paykeys', paykeyId, scope)} className={button}>
              Go to the bank account
            </Link>
          )}
          {step.id === 'other_account' && customer && (
            <Link href={connectPath(desk.environment, { ...scope, customer })} className={button}>
              Connect another bank account
            </Link>
          )}
        </p>
      )}
      <Later payment={payment} as="resubmit" account={account} />
      <Later payment={payment} as="refund" account={account} />
    </>
  )
}

/** The payment that was made of this one, if there is one that can be opened. */
export function Later({ payment, as, account }: { payment: Payment; as: 'resubmit' | 'refund'; account: string | null }) {
  const desk = useDesk()
  const later = laterOf(payment, as)
  if (!later) return null
  const { resource, one } = paymentNouns[later.kind]
  return (
    <p>
      <Link href={recordPath(desk.environment, resource, later.id, { account })} className="font-medium text-accent hover:underline">
        {as === 'refund' ? 'Open its refund' : `Open the new ${one}`}
      </Link>
    </p>
  )
}
