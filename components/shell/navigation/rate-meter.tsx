'use client'

import { useQuery } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Progress } from '@/components/ui/progress'
import { Skeleton } from '@/components/ui/skeleton'
import { operationQuery } from '@/lib/client/query/reads'
import type { RateBudget } from '@/lib/operations/service-check'

/** Milliseconds between reads of the used rate limit. They stop when the panel is closed. */
const pollIntervalMs = 2000

export const RateMeter = () => (
  <section aria-label="Service rate limit" className="grid gap-1 text-ink-2 text-xs">
    <p className="text-ink-3">Service rate limit</p>
    <RateLimitReader />
  </section>
)

function RateLimitReader() {
  const { environment } = usePageContext()
  const { data, error } = useQuery({
    ...operationQuery({ environment, account: null }, 'rate_budget.read', {}),
    staleTime: 0,
    refetchInterval: pollIntervalMs,
  })
  if (error) return <p>Not known: it could not be read.</p>
  if (!data) return <Skeleton className="h-16" />
  if (data.data.limit === null) return <p>No limit is set for {environment}.</p>
  return <RateLimitFigures {...data.data} />
}

function RateLimitFigures({
  limit,
  allowed,
  used,
  waiting,
  refused_at,
  paused_seconds,
}: RateBudget) {
  const reductionText = limit !== null && allowed < limit ? `, reduced from ${limit}` : ''
  return (
    <>
      <Progress value={Math.min(1, used / allowed)} label="Part of the rate limit in use" />
      <p>
        {used} of {allowed} calls in the last second{reductionText}, all instances
      </p>
      <p>
        Waiting in this instance: {waiting.write} actions, {waiting.read} reads,{' '}
        {waiting.background} in the background
      </p>
      <p>
        {refused_at ? (
          <>
            Provider last rate-limited us (429) <RelativeTime at={refused_at} />
          </>
        ) : (
          'The provider has not rate-limited us (429).'
        )}
        {paused_seconds > 0 && ` Paused for ${paused_seconds} s.`}
      </p>
    </>
  )
}
