'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { StatusBadge } from '@/components/ui/status-badge'
import { readRequests } from '@/lib/client/queries'
import type { LoggedCall } from '@/lib/operations/activity'
import { activityPath } from '@/lib/routes'
import { CallDetails } from './call-details'
import { callTone } from './call-words'

/** More than that is for the whole log, which the last line leads to. */
const shown = 10

/** The newest calls about one object, and the way to all of them. */
export function TrailList({ target }: { target: string }) {
  const desk = useDesk()
  const calls = useQuery({ ...readRequests(desk, { target, page_size: shown }), staleTime: 0 })
  if (calls.error) {
    const again = <Button onClick={() => void calls.refetch()}>Read again</Button>
    const { error } = calls
    return <ErrorNotice what="The requests could not be read" error={error.toWire()} requestId={error.requestId} actions={again} />
  }
  if (!calls.data) return <Skeleton className="h-24" />
  const { data, meta } = calls.data
  const total = meta.total_items ?? data.length
  const all = activityPath(desk.environment, { account: desk.account, tab: 'requests', target })
  return (
    <div className="grid gap-2">
      {data.length === 0 && <p className="text-ink-3">None is on record. Lines are kept for 90 days.</p>}
      <ul aria-label="Requests, newest first" className="grid">
        {data.map((call) => (
          <Line key={call.id} call={call} />
        ))}
      </ul>
      <p className="flex flex-wrap items-center gap-x-3 text-ink-3 text-xs">
        {total > data.length && `The newest ${data.length} of ${total.toLocaleString('en-US')}.`}
        <Link href={all} prefetch={false} className="text-accent hover:underline">
          All in Activity
        </Link>
        <Button size="small" variant="quiet" loading={calls.isFetching} onClick={() => void calls.refetch()}>
          Read again<span className="sr-only"> the requests</span>
        </Button>
      </p>
    </div>
  )
}

const Line = ({ call }: { call: LoggedCall }) => (
  <li className="grid min-h-8 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 border-line border-b py-0.5 text-sm last:border-b-0">
    <span className="flex min-w-0 items-baseline gap-2">
      <CallDetails call={call} />
      <bdi className="truncate text-ink-3 text-xs">{call.person}</bdi>
    </span>
    <span className="flex items-center gap-1.5">
      {call.replayed && <Badge>Replayed</Badge>}
      <StatusBadge tone={callTone(call)}>{String(call.status)}</StatusBadge>
    </span>
    <RelativeTime at={call.at} show="ago" className="text-right text-ink-3 text-xs" />
  </li>
)
