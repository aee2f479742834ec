import { Notice } from '@/components/ui/notice'
import { fundingTypeMeaning } from '@/lib/domain/funding-words'
import { returnCode } from '@/lib/domain/return-codes'
import { statusWords } from '@/lib/domain/status'
import type { FundingEvent } from '@/lib/operations/funding-events.schema'

/** Where the transfer stands and why there is one; what the provider said stays beside it, word for word. */
export function FundingStanding({ event }: { event: FundingEvent }) {
  const { label, tone, meaning } = statusWords('funding_event', event.status)
  const details = event.status_details
  const code = returnCode(details?.code)
  const raw = [details?.reason, details?.source, details?.code].filter(Boolean).join(' · ')
  const about = fundingTypeMeaning(event.event_type)
  return (
    <Notice tone={tone} title={<span className="text-base">{`${label}: ${code ? `${code.meaning} (${details?.code})` : meaning}`}</span>}>
      {about && <p>{about}</p>}
      {code && <p>{code.advice}</p>}
      <p className="text-ink-3 text-xs">
        {raw === '' && !details?.message ? (
          'The provider gave no reason.'
        ) : (
          <>
            Provider said: <span className="font-mono">{raw}</span>{' '}
            {details?.message && (
              <>
                “<bdi className="break-words">{details.message}</bdi>”
              </>
            )}
          </>
        )}
      </p>
    </Notice>
  )
}
