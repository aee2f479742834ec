'use client'

import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Notice } from '@/components/ui/notice'
import { paykeyReasonText, paykeyWhy } from '@/lib/domain/paykey-why'
import { sourceText } from '@/lib/domain/source-text'
import { statusWords } from '@/lib/domain/status'
import type { Paykey } from '@/lib/operations/paykeys.schema'

/** In one line where the paykey stands, what comes of it, what changes it and who can; what the provider said stays beside it, word for word. */
export function PaykeyVerdict({ paykey }: { paykey: Paykey }) {
  const why = paykeyWhy(paykey)
  const details = paykey.status_details
  const reason = paykeyReasonText(details?.reason)
  return (
    <Notice
      tone={statusWords('paykey', paykey.status).tone}
      title={
        <span className="text-base">
          {why.line}
          {details?.changed_at && (
            <span className="font-normal text-ink-2">
              {' '}
              since <RelativeTime at={details.changed_at} />
            </span>
          )}
        </span>
      }
    >
      <p>
        {reason && (
          <>
            By {sourceText(details?.source)}: {reason}.{' '}
          </>
        )}
        {why.follows}
      </p>
      {why.clears && (
        <p>
          <span className="text-ink-3">Next:</span> {why.clears}
          {why.who && (
            <>
              {' '}
              <span className="text-ink-3">Who:</span> {why.who}.
            </>
          )}
        </p>
      )}
      <ProviderSaid details={details} />
    </Notice>
  )
}

function ProviderSaid({ details }: { details: Paykey['status_details'] }) {
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
