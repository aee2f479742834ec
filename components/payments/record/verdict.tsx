'use client'

import { ExternalText } from '@/components/kits/layout/outside-text'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ProviderReason } from '@/components/kits/record/provider-reason'
import { useCacheHoldReason } from '@/components/payments/hold-reason'
import { Notice } from '@/components/ui/notice'
import type { HoldExplanation } from '@/lib/domain/holds/explain-hold'
import { formatHeldBy } from '@/lib/domain/holds/holder-text'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { findReturnCode, type ReturnCode } from '@/lib/domain/return-codes'
import { getStateStartTime, getStatusWords } from '@/lib/domain/status'
import type { ActionView } from '@/lib/operations/answer'
import { hasNextSteps, NextSteps, type ResubmitOptions } from './next-steps'
import type { PaymentRelatedReads } from './use-facts'
import { useHoldExplanation } from './use-hold-explanation'

type PaymentVerdictProps = {
  kind: PaymentKind
  payment: Payment
  actions: readonly ActionView[]
  facts: PaymentRelatedReads
  next: ResubmitOptions
}

export function PaymentVerdict({ kind, payment, actions, facts, next }: PaymentVerdictProps) {
  const statusLabel = getStatusWords('payment', payment.status)
  const statusDetails = payment.status_details
  const isHeld = payment.status === 'on_hold'
  const { held, settled } = useHoldExplanation(kind, payment, facts)
  useCacheHoldReason(payment.id, isHeld && settled ? held.line : undefined)
  // While a read that can change the reason is loading, its text is invisible but takes its space,
  // so that no wrong reason is shown.
  const invisibleUntilSettledProps = settled ? {} : { className: 'invisible', 'aria-hidden': true }
  const returnCode = findReturnCode(statusDetails?.code)
  return (
    <Notice
      tone={statusLabel.tone}
      title={
        <span className="text-base">
          {isHeld ? (
            <>
              On hold for <RelativeTime at={getStateStartTime(payment)} show="length" />. Held by{' '}
              {formatHeldBy(payment, actions)}:{' '}
              <ExternalText {...invisibleUntilSettledProps}>{toHoldReasonText(held)}</ExternalText>
            </>
          ) : (
            `${statusLabel.label}: ${returnCode ? `${returnCode.meaning} (${statusDetails?.code})` : statusLabel.meaning}`
          )}
        </span>
      }
    >
      {isHeld && (
        <p {...invisibleUntilSettledProps}>
          <span className="text-ink-3">To resolve:</span> {held.clears}{' '}
          <span className="text-ink-3">Who can do this:</span> {held.who}.
        </p>
      )}
      {returnCode && !isHeld && <ReturnAdvice code={returnCode} />}
      {hasNextSteps(payment) && (
        <NextSteps kind={kind} payment={payment} facts={facts} next={next} />
      )}
      <ProviderReason details={statusDetails} />
    </Notice>
  )
}

/** "Held by a user: Held by a user: “…”" would state it twice. */
const toHoldReasonText = ({ id, line }: HoldExplanation) =>
  id === 'held_by_person' ? line.replace('Held by a user: ', '') : line

const returnRateTexts = {
  unauthorized: 'the unauthorized returns (limit 0.5%)',
  administrative: 'the administrative returns (limit 3%)',
} as const

const ReturnAdvice = ({ code }: { code: ReturnCode }) => (
  <p>
    {code.advice}{' '}
    {code.counts && (
      <span className="text-ink-3">It counts toward {returnRateTexts[code.counts]}.</span>
    )}
  </p>
)
