'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Notice } from '@/components/ui/notice'
import { returnCode } from '@/lib/domain/return-codes'
import { statusWords } from '@/lib/domain/status'
import { sourceText, whyHeld } from '@/lib/domain/why-held'
import { formatMinor, minorUnits } from '@/lib/money'
import type { Payout } from '@/lib/operations/payouts.schema'
import type { PayoutFacts } from './use-payout-facts'

type PayoutVerdictProps = { payout: Payout; facts: PayoutFacts }

/** In one line where the payout stands and why, what would clear it and who can; what the provider said stays beside it, word for word. */
export function PayoutVerdict({ payout, facts }: PayoutVerdictProps) {
  const words = statusWords('payment', payout.status)
  const details = payout.status_details
  const explained = useHeld(payout, facts)
  const held = payout.status === 'on_hold' ? explained : null
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
      {code && !held && <p>{code.advice}</p>}
      <ProviderSaid details={details} />
    </Notice>
  )
}

function useHeld(payout: Payout, facts: PayoutFacts) {
  const { amountUnit } = useDesk()
  const paykey = facts.paykey.state === 'known' ? facts.paykey.value : undefined
  const limits = facts.account.state === 'known' ? facts.account.value.settings?.payouts : undefined
  return whyHeld({
    details: payout.status_details,
    autoHold: payout.config?.auto_hold,
    autoHoldMessage: payout.config?.auto_hold_message,
    paykeyStatus: paykey?.status,
    paykeyCode: paykey?.status_details?.code,
    unblockEligible: paykey?.unblock_eligible,
    amount: minorUnits(payout.amount, amountUnit),
    maxAmount: limits?.max_amount,
    documents: payout.documents.length,
    formatAmount: formatMinor,
  })
}

function ProviderSaid({ details }: { details: Payout['status_details'] }) {
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
