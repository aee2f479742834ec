'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Spinner } from '@/components/ui/button'
import { operationQuery } from '@/lib/client/query/reads'

const pollIntervalMs = 3000
const pollTimeoutMs = 90_000

/**
 * A requested re-verification: when it was requested (milliseconds), and the id of the customer's
 * review at that time. `reviewId` is null if there was no review, and undefined if the review had
 * not been read.
 */
export type RequestedReview = { at: number; reviewId: string | null | undefined }

type ReverificationStatusProps = { id: string; asked: RequestedReview; onArrived: () => void }

/**
 * Polls for the result of a re-verification, which runs in the background. The result has arrived
 * when the review id has changed. If the id before the request is not known, the first one read
 * takes its place. After 90 seconds polling stops, and a text states that the re-verification is
 * still running.
 */
export function ReverificationStatus({ id, asked, onArrived }: ReverificationStatusProps) {
  const context = usePageContext()
  const [isTimedOut, setIsTimedOut] = useState(false)
  const query = useQuery({
    ...operationQuery(context, 'customers.review', { id }),
    refetchInterval: isTimedOut ? false : pollIntervalMs,
  })
  const polledId = query.data && (query.data.data.identity_details?.review_id ?? null)
  const [previousId, setPreviousId] = useState(asked.reviewId)
  if (previousId === undefined && polledId !== undefined) setPreviousId(polledId)
  const hasArrived = previousId !== undefined && polledId !== undefined && polledId !== previousId
  const reportArrival = useEffectEvent(onArrived)
  useEffect(() => {
    if (hasArrived) reportArrival()
    const timer = setTimeout(
      () => setIsTimedOut(true),
      hasArrived ? 0 : asked.at + pollTimeoutMs - Date.now(),
    )
    return () => clearTimeout(timer)
  }, [hasArrived, asked])
  return (
    <p role="status" className="flex items-center gap-2 text-ink-2 text-sm">
      {!hasArrived && !isTimedOut && <Spinner />}
      {getReverificationText(hasArrived, isTimedOut)}
    </p>
  )
}

function getReverificationText(hasReviewChanged: boolean, over: boolean): string {
  if (hasReviewChanged)
    return 'The re-verification is complete. The status and evidence above are current.'
  if (over)
    return 'The re-verification is still running after 90 seconds. Refresh the customer later.'
  return 'The re-verification is running. The result appears here automatically.'
}
