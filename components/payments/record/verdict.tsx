'use client'

import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ProviderReason } from '@/components/kits/record/provider-reason'
import { useShareHoldReason } from '@/components/payments/hold-reason'
import { Notice } from '@/components/ui/notice'
import { isLoading, type ReadResult } from '@/lib/domain/check'
import { explainHold, type HeldFacts, type HoldExplanation } from '@/lib/domain/holds/explain-hold'
import { findMissingFacts, toHeldPaykey, toHeldPaymentFacts } from '@/lib/domain/holds/limit-checks'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { resourceByKind } from '@/lib/domain/payment-kind'
import { findReturnCode, type ReturnCode } from '@/lib/domain/return-codes'
import { sourceText } from '@/lib/domain/source-text'
import { stateSince, statusWords } from '@/lib/domain/status'
import { toMinorUnits } from '@/lib/money'
import { hasTrail, NextSteps, type ResubmitProps } from './trail'
import type { PaymentFacts } from './use-facts'

type PaymentVerdictProps = { kind: PaymentKind; payment: Payment; facts: PaymentFacts; next: ResubmitProps }

/** A notice with the payment's status, its reason, how to resolve it and who can, and the service's text verbatim. */
export function PaymentVerdict({ kind, payment, facts, next }: PaymentVerdictProps) {
  const words = statusWords('payment', payment.status)
  const details = payment.status_details
  const isHeld = payment.status === 'on_hold'
  const { held, settled } = useHoldReason(kind, payment, facts)
  useShareHoldReason(payment.id, isHeld && settled ? held.line : undefined)
  // Until the reason is settled it is invisible but takes its space, because the text may still change.
  const hiddenProps = settled ? {} : { className: 'invisible', 'aria-hidden': true }
  const code = findReturnCode(details?.code)
  return (
    <Notice
      tone={words.tone}
      title={
        <span className="text-base">
          {isHeld ? (
            <>
              Held <RelativeTime at={stateSince(payment)} show="ago" /> by {sourceText(details?.source, details?.reason)}:{' '}
              <OutsideText {...hiddenProps}>{held.line}</OutsideText>
            </>
          ) : (
            `${words.label}: ${code ? `${code.meaning} (${details?.code})` : words.meaning}`
          )}
        </span>
      }
    >
      {isHeld && (
        <p {...hiddenProps}>
          <span className="text-ink-3">To resolve:</span> {held.clears} <span className="text-ink-3">Who can:</span> {held.who}.
        </p>
      )}
      {code && !isHeld && <ReturnAdvice code={code} />}
      {hasTrail(payment) && <NextSteps kind={kind} payment={payment} facts={facts} next={next} />}
      <ProviderReason details={details} />
    </Notice>
  )
}

const returnRateTexts = {
  unauthorized: 'the unauthorized returns (limit 0.5%)',
  administrative: 'the administrative returns (limit 3%)',
} as const

/** The advice for a return code, and the return rate that it increases. */
const ReturnAdvice = ({ code }: { code: ReturnCode }) => (
  <p>
    {code.advice} {code.counts && <span className="text-ink-3">It counts toward {returnRateTexts[code.counts]}.</span>}
  </p>
)

/** Returns the reason of a hold. `settled` is false while a read that it depends on is loading. */
function useHoldReason(
  kind: PaymentKind,
  payment: Payment,
  { paykey, account, spent }: PaymentFacts,
): { held: HoldExplanation; settled: boolean } {
  const { amountUnit } = usePageContext()
  const facts: HeldFacts = {
    ...toHeldPaymentFacts(payment),
    details: payment.status_details,
    paykey: paykey.data && toHeldPaykey(paykey.data),
    amount: toMinorUnits(payment.amount, amountUnit),
    limits: account.data?.settings?.[resourceByKind[kind]],
    spent: spent.data,
  }
  const missingFacts = findMissingFacts(facts)
  const isFactPending = (needed: boolean, fact: ReadResult<unknown>) => needed && isLoading(fact)
  const isSettled = !(
    isFactPending(missingFacts.paykey, paykey) ||
    isFactPending(missingFacts.limits, account) ||
    isFactPending(missingFacts.sums, spent)
  )
  return { held: explainHold(facts), settled: isSettled }
}
