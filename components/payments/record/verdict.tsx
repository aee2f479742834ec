'use client'

import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ProviderSaid } from '@/components/kits/record/provider-said'
import { useShareHoldReason } from '@/components/payments/hold-reason'
import { Notice } from '@/components/ui/notice'
import { isLoading, type ReadResult } from '@/lib/domain/check'
import { heldPaykey, heldWhole, needsMore } from '@/lib/domain/holds/limit-checks'
import { type HeldFacts, type WhyHeld, whyHeld } from '@/lib/domain/holds/why-held'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { resourceOfKind } from '@/lib/domain/payment-kind'
import { type ReturnCode, returnCode } from '@/lib/domain/return-codes'
import { sourceText } from '@/lib/domain/source-text'
import { stateSince, statusWords } from '@/lib/domain/status'
import { minorUnits } from '@/lib/money'
import { hasTrail, type Next, NextSteps } from './trail'
import type { PaymentFacts } from './use-facts'

type PaymentVerdictProps = { kind: PaymentKind; payment: Payment; facts: PaymentFacts; next: Next }

/** A notice with the payment's status, its reason, how to resolve it and who can, and the service's text verbatim. */
export function PaymentVerdict({ kind, payment, facts, next }: PaymentVerdictProps) {
  const words = statusWords('payment', payment.status)
  const details = payment.status_details
  const isHeld = payment.status === 'on_hold'
  const { held, settled } = useHeld(kind, payment, facts)
  useShareHoldReason(payment.id, isHeld && settled ? held.line : undefined)
  // Until the reason is settled it is invisible but takes its space, because the text may still change.
  const look = settled ? {} : { className: 'invisible', 'aria-hidden': true }
  const code = returnCode(details?.code)
  return (
    <Notice
      tone={words.tone}
      title={
        <span className="text-base">
          {isHeld ? (
            <>
              Held <RelativeTime at={stateSince(payment)} show="ago" /> by {sourceText(details?.source, details?.reason)}:{' '}
              <OutsideText {...look}>{held.line}</OutsideText>
            </>
          ) : (
            `${words.label}: ${code ? `${code.meaning} (${details?.code})` : words.meaning}`
          )}
        </span>
      }
    >
      {isHeld && (
        <p {...look}>
          <span className="text-ink-3">To resolve:</span> {held.clears} <span className="text-ink-3">Who can:</span> {held.who}.
        </p>
      )}
      {code && !isHeld && <Returned code={code} />}
      {hasTrail(payment) && <NextSteps kind={kind} payment={payment} facts={facts} next={next} />}
      <ProviderSaid details={details} />
    </Notice>
  )
}

const counted = {
  unauthorized: 'the unauthorized returns (limit 0.5%)',
  administrative: 'the administrative returns (limit 3%)',
} as const

/** The advice for a return code, and the return rate that it increases. */
const Returned = ({ code }: { code: ReturnCode }) => (
  <p>
    {code.advice} {code.counts && <span className="text-ink-3">It counts toward {counted[code.counts]}.</span>}
  </p>
)

/** Returns the reason of a hold. `settled` is false while a read that it depends on is loading. */
function useHeld(kind: PaymentKind, payment: Payment, { paykey, account, spent }: PaymentFacts): { held: WhyHeld; settled: boolean } {
  const { amountUnit } = usePageContext()
  const facts: HeldFacts = {
    ...heldWhole(payment),
    details: payment.status_details,
    paykey: paykey.data && heldPaykey(paykey.data),
    amount: minorUnits(payment.amount, amountUnit),
    limits: account.data?.settings?.[resourceOfKind[kind]],
    spent: spent.data,
  }
  const needs = needsMore(facts)
  const waits = (needed: boolean, fact: ReadResult<unknown>) => needed && isLoading(fact)
  const settled = !(waits(needs.paykey, paykey) || waits(needs.limits, account) || waits(needs.sums, spent))
  return { held: whyHeld(facts), settled }
}
