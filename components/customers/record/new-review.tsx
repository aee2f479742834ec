'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Spinner } from '@/components/ui/button'
import { operationQuery } from '@/lib/client/query/reads'

const pollIntervalMs = 3000
const pollTimeoutMs = 90_000

/**
 * `at` is in milliseconds. `reviewId` is the customer's review at that time: null if there was
 * none, undefined if it had not been read.
 */
export type RequestedReview = { at: number; reviewId: string | null | undefined }

type ReverificationStatusProps = { id: string; asked: RequestedReview; onArrived: () => void }

/**
 * The result has arrived when the review id has changed. If the id before the request is unknown,
 * the first one read takes its place. Polling stops after 90 seconds.
 */
export function ReverificationStatus({ id, asked, onArrived }: ReverificationStatusProps) {
  const context = usePageContext()
  const [isTimedOut, setIsTimedOut] = useState(false)
  const reviewQuery = useQuery({
    ...operationQuery(context, 'customers.review', { id }),
    refetchInterval: isTimedOut ? false : pollIntervalMs,
  })
  const polledReviewId =
    reviewQuery.data && (reviewQuery.data.data.identity_details?.review_id ?? null)
  const [previousId, setPreviousId] = useState(asked.reviewId)
  if (previousId === undefined && polledReviewId !== undefined) setPreviousId(polledReviewId)
  const hasReviewArrived =
    previousId !== undefined && polledReviewId !== undefined && polledReviewId !== previousId
  const reportArrival = useEffectEvent(onArrived)
  useEffect(() => {
    if (hasReviewArrived) reportArrival()
    const timer = setTimeout(
      () => setIsTimedOut(true),
      hasReviewArrived ? 0 : asked.at + pollTimeoutMs - Date.now(),
    )
    return () => clearTimeout(timer)
  }, [hasReviewArrived, asked])
  return (
    <p role="status" className="flex items-center gap-2 text-ink-2 text-sm">
      {!hasReviewArrived && !isTimedOut && <Spinner />}
      {getReverificationText(hasReviewArrived, isTimedOut)}
    </p>
  )
}

function getReverificationText(hasReviewChanged: boolean, hasTimedOut: boolean): string {
  if (hasReviewChanged)
    return 'The re-verification is complete. The status and evidence above are current.'
  if (hasTimedOut)
    return 'The re-verification is still running after 90 seconds. Refresh the customer later.'
  return 'The re-verification is running. The result appears here automatically.'
}
