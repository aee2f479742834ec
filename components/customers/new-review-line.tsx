'use client'

import { useEffect, useEffectEvent } from 'react'
import { Spinner } from '@/components/ui/spinner'
import type { NewReview } from './use-new-review'

const texts: Record<NonNullable<NewReview>, string> = {
  running: 'The new verification is running; its result appears here by itself.',
  arrived: 'The new verification is done: the state and the evidence above are those of now.',
  late: 'The new verification is still running after a minute and a half. Read the customer again later.',
}

/** How the new verification gets on. When its result is there, everything about the customer is read again. */
export function NewReviewLine({ state, onRead }: { state: NewReview; onRead: () => void }) {
  const read = useEffectEvent(onRead)
  const arrived = state === 'arrived'
  useEffect(() => {
    if (arrived) read()
  }, [arrived])
  if (state === null) return null
  return (
    <p role="status" className="flex items-center gap-2 text-ink-2 text-sm">
      {state === 'running' && <Spinner />}
      {texts[state]}
    </p>
  )
}
