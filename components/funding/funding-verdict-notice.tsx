'use client'

import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Progress } from '@/components/ui/progress'
import type { FundingSum, FundingVerdict } from '@/lib/domain/funding-sum'
import type { FundingLines } from './use-funding-lines'

type FundingVerdictNoticeProps = { verdict: FundingVerdict; sum: FundingSum; read: FundingLines }

/** Whether the payments add up to the event, in one line, and what could explain it where they do not. */
export function FundingVerdictNotice({ verdict, sum, read }: FundingVerdictNoticeProps) {
  const { error, again, bounded, ended } = read
  return (
    <>
      <Notice
        tone={verdict.tone}
        role="status"
        className="min-h-13 max-sm:min-h-18"
        title={<span className="text-base">{verdict.line}</span>}
      >
        {!ended && (
          <Progress
            value={sum.total ? Math.min(1, sum.read / sum.total) : null}
            label={sum.total ? `${sum.read} of ${sum.total} lines read` : 'Reading the lines'}
          />
        )}
        {verdict.why.length > 0 && (
          <ul aria-label="What could explain it" className="list-disc pl-4">
            {verdict.why.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        )}
        {verdict.fits === false && verdict.why.length === 0 && (
          <p>Nothing in the lines explains it. Ask the provider, with the id of the event and this sum.</p>
        )}
        {bounded && <p>Paydesk reads no more lines than these at once.</p>}
      </Notice>
      {error && (
        <ErrorNotice
          what={sum.read === 0 ? 'The payments of this event could not be read' : 'The rest of the payments could not be read'}
          error={error.toWire()}
          requestId={error.requestId}
          actions={
            <Button size="small" onClick={again}>
              {sum.read === 0 ? 'Read again' : 'Read on'}
            </Button>
          }
        />
      )}
    </>
  )
}
