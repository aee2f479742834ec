'use client'

import { Suspense } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { later } from '@/components/kits/record/later'
import { Notice } from '@/components/ui/notice'
import type { Payment, PaymentKind } from '@/lib/domain/payment-kind'
import { resourceOfKind } from '@/lib/domain/payment-kind'
import { type ReturnCode, returnCode } from '@/lib/domain/return-codes'
import { sourceText } from '@/lib/domain/source-text'
import { statusWords } from '@/lib/domain/status'
import { whyHeld } from '@/lib/domain/why-held'
import { formatMinor, minorUnits } from '@/lib/money'
import type { Next } from './next-steps'
import type { PaymentFacts } from './use-payment-facts'

const NextSteps = later(() => import('./next-steps').then((module) => module.NextSteps))

type PaymentVerdictProps = { kind: PaymentKind; payment: Payment; facts: PaymentFacts; next: Next }

/** In one line where the payment stands and why, what would clear it and who can; what the provider said stays beside it, word for word. */
export function PaymentVerdict({ kind, payment, facts, next }: PaymentVerdictProps) {
  const words = statusWords('payment', payment.status)
  const details = payment.status_details
  const explained = useHeld(kind, payment, facts)
  const held = payment.status === 'on_hold' ? explained : null
  const code = returnCode(details?.code)
  return (
    <Notice
      tone={words.tone}
      title={
        <span className="text-base">
          {held ? (
            <>
              Held <RelativeTime at={details?.changed_at} show="ago" /> by {sourceText(details?.source)}: {held.line}
            </>
          ) : (
            `${words.label}: ${code ? `${code.meaning} (${details?.code})` : words.meaning}`
          )}
        </span>
      }
    >
      {held && (
        <p>
          <span className="text-ink-3">Clears it:</span> {held.clears} <span className="text-ink-3">Who:</span> {held.who}.
        </p>
      )}
      {code && !held && <Returned code={code} />}
      <Suspense fallback={null}>
        <NextSteps kind={kind} payment={payment} facts={facts} next={next} />
      </Suspense>
      <ProviderSaid details={details} />
    </Notice>
  )
}

const counted = {
  unauthorised: 'the unauthorised returns (limit 0.5 %)',
  administrative: 'the administrative returns (limit 3 %)',
} as const

/** What to do about a return, and which rate it counts for. */
const Returned = ({ code }: { code: ReturnCode }) => (
  <p>
    {code.advice} {code.counts && <span className="text-ink-3">It counts among {counted[code.counts]}.</span>}
  </p>
)

function useHeld(kind: PaymentKind, payment: Payment, facts: PaymentFacts) {
  const { amountUnit } = useDesk()
  const paykey = facts.paykey.state === 'known' ? facts.paykey.value : undefined
  const limits = facts.account.state === 'known' ? facts.account.value.settings?.[resourceOfKind[kind]] : undefined
  return whyHeld({
    details: payment.status_details,
    autoHold: payment.config?.auto_hold,
    autoHoldMessage: payment.config?.auto_hold_message,
    paykeyStatus: paykey?.status,
    paykeyCode: paykey?.status_details?.code,
    unblockEligible: paykey?.unblock_eligible,
    amount: minorUnits(payment.amount, amountUnit),
    maxAmount: limits?.max_amount,
    documents: payment.documents.length,
    formatAmount: formatMinor,
  })
}

function ProviderSaid({ details }: { details: Payment['status_details'] }) {
  const raw = [details?.reason, details?.source, details?.code].filter((part) => part !== undefined).join(' · ')
  if (raw === '' && details?.message === undefined) return <p className="text-ink-3 text-xs">The provider gave no reason.</p>
  return (
    <p className="text-ink-3 text-xs">
      Provider said: <span className="font-mono">{raw}</span>
      {details?.message && (
        <>
          {' '}
          “<bdi className="break-words">{details.message}</bdi>”
        </>
      )}
    </p>
  )
}
