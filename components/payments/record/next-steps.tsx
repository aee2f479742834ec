'use client'

import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { type Payment, type PaymentKind, parsePaymentKind } from '@/lib/domain/payment-kind'
import { findNextStep } from '@/lib/features/payments/chain'
import { paymentNouns } from '@/lib/features/payments/labels'
import { connectBankAccountPath, recordPath } from '@/lib/routes'
import type { PaymentRelatedReads } from './use-facts'

/** `disabledReason` is null if the button is enabled. */
export type ResubmitOptions = {
  account: string | null
  disabledReason: string | null
  onResubmit: () => void
}

type NextStepsProps = {
  kind: PaymentKind
  payment: Payment
  facts: PaymentRelatedReads
  next: ResubmitOptions
}

/** The next step after a failed or returned payment, and its resubmission and refund. */
export function NextSteps({ kind, payment, facts, next }: NextStepsProps) {
  const context = usePageContext()
  const paykey = facts.paykey.data
  const nextStepAfterReturn = findNextStep({
    kind,
    payment,
    paykeyStatus: paykey?.status,
    unblockEligible: paykey?.unblock_eligible,
  })
  const account = next.account ?? context.account
  const scope = { account }
  const buttonClasses = buttonVariants({ size: 'small' })
  const customerId = payment.customer_details?.id
  const paykeyId = payment.paykey_details?.id
  return (
    <>
      {kind === 'charge' && payment.status === 'reversed' && payment.has_refund && (
        <p className="font-medium text-ink">
          The charge was refunded and returned: the customer may have been paid twice. Check the
          refund first.
        </p>
      )}
      {nextStepAfterReturn && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            <span className="text-ink-3">Next:</span> {nextStepAfterReturn.sentence}
          </span>
          {nextStepAfterReturn.id === 'resubmit' && (
            <Button
              size="small"
              disabledReason={next.disabledReason}
              onClick={next.onResubmit}
              className="print:hidden"
            >
              Resubmit…
            </Button>
          )}
          {nextStepAfterReturn.id === 'unblock' && paykeyId && (
            <Link href={recordPath(context, 'paykeys', paykeyId, scope)} className={buttonClasses}>
              Go to the bank account
            </Link>
          )}
          {nextStepAfterReturn.id === 'other_account' && customerId && (
            <Link
              href={connectBankAccountPath(context, { ...scope, customer: customerId })}
              className={buttonClasses}
            >
              Connect another bank account
            </Link>
          )}
        </p>
      )}
      <FollowUpPayment payment={payment} as="resubmit" account={account} />
      <FollowUpPayment payment={payment} as="refund" account={account} />
    </>
  )
}

function FollowUpPayment({
  payment,
  as,
  account,
}: {
  payment: Payment
  as: 'resubmit' | 'refund'
  account: string | null
}) {
  const context = usePageContext()
  const followUp = findFollowUpPayment(payment, as)
  if (!followUp) return null
  const { resource, one } = paymentNouns[followUp.kind]
  return (
    <p>
      <Link
        href={recordPath(context, resource, followUp.id, { account })}
        className="font-medium text-accent hover:underline"
      >
        {as === 'refund' ? 'Open its refund' : `Open the new ${one}`}
      </Link>
    </p>
  )
}

/**
 * Returns the refund or the resubmission of a payment; undefined if there is none or its kind is
 * unknown.
 */
function findFollowUpPayment(
  payment: Pick<Payment, 'related_payments'>,
  as: 'resubmit' | 'refund',
): { id: string; kind: PaymentKind } | undefined {
  const relatedPayment = payment.related_payments.find(({ relationship }) => relationship === as)
  const kind = relatedPayment && parsePaymentKind(relatedPayment.payment_type)
  return relatedPayment && kind ? { id: relatedPayment.id, kind } : undefined
}

const finalFailureStatuses = ['failed', 'reversed', 'cancelled']

/**
 * True if the payment failed, was returned or canceled, or has related payments. Only then can
 * `NextSteps` show something.
 */
export const hasNextSteps = ({ status, related_payments }: Payment): boolean =>
  finalFailureStatuses.includes(status) || related_payments.length > 0
