'use client'

import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList } from '@/components/kits/layout/panel'
import { RefreshButton } from '@/components/kits/layout/refresh-button'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/copy-button'
import { Popover } from '@/components/ui/overlay'
import { Skeleton } from '@/components/ui/skeleton'
import { Badge, StatusBadge, type Tone } from '@/components/ui/tone'
import { getScopeForListLink, getScopeName, toOtherAccountSuffix } from '@/lib/client/page-context'
import { requestsQuery } from '@/lib/client/query/reads'
import type { LoggedCall } from '@/lib/operations/activity'
import { toCountText } from '@/lib/operations/list-count'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { activityPath } from '@/lib/routes'

export function getCallTone({
  status,
  error_code: code,
}: Pick<LoggedCall, 'status' | 'error_code'>): Tone {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'held'
  return code === null ? 'good' : 'unknown'
}

const formatAttempts = (attempts: number) =>
  attempts === 1 ? 'once' : `${attempts} times, under one key`

export function formatSendAttempts({
  attempts,
  replayed,
}: Pick<LoggedCall, 'attempts' | 'replayed'>): string {
  if (attempts === 0) return replayed ? 'not sent: an earlier response was repeated' : 'not sent'
  return replayed
    ? `${formatAttempts(attempts)}; an earlier response was repeated`
    : formatAttempts(attempts)
}

export function formatCallError({
  error_code: code,
  error_detail: detail,
}: Pick<LoggedCall, 'error_code' | 'error_detail'>): string | null {
  if (code === null) return null
  return detail ? `${code.replaceAll('_', ' ')}: ${detail}` : code.replaceAll('_', ' ')
}

export function CallDetails({ call, className }: { call: LoggedCall; className?: string }) {
  const { verbPhrase } = getServiceOperation(call.operation)
  return (
    <Popover
      label={`Request to ${verbPhrase}`}
      panelClassName="w-104 p-3"
      className={cn(
        'min-h-6 truncate rounded-sm text-left font-medium text-ink hover:underline',
        className,
      )}
      content={() => <CallFacts call={call} />}
    >
      {verbPhrase}
    </Popover>
  )
}

function CallFacts({ call }: { call: LoggedCall }) {
  const context = usePageContext()
  const errorText = formatCallError(call)
  return (
    <div className="grid gap-2">
      <FactList className="grid-cols-[auto_minmax(0,1fr)]">
        <Fact name="Requested">
          <RelativeTime at={call.at} /> by <ExternalText>{call.person}</ExternalText>
        </Fact>
        <Fact name="Account">
          <ExternalText>{getScopeName(context, call.account)}</ExternalText>
        </Fact>
        <Fact name="Answer">
          {call.status} after {call.took_ms.toLocaleString('en-US')} ms
          {errorText && <ExternalText className="block text-ink-2">{errorText}</ExternalText>}
        </Fact>
        <Fact name="Sent">{formatSendAttempts(call)}</Fact>
        <Fact name="Request ID">
          <ShortId id={call.request_id} what="request ID" />
        </Fact>
        <Fact name="Service’s ID">
          {call.api_request_id ? (
            <ShortId id={call.api_request_id} what="service’s request ID" />
          ) : (
            'none'
          )}
        </Fact>
        {call.action_id && (
          <Fact name="Action">
            <ShortId id={call.action_id} what="action ID" />
          </Fact>
        )}
      </FactList>
      <p className="text-ink-3 text-xs">The content sent and received is never stored.</p>
    </div>
  )
}

/** Number of requests shown. A link opens the whole log. */
const pageSize = 10

export function RecordCallList({ target }: { target: string }) {
  const context = usePageContext()
  const callsQuery = useQuery({
    ...requestsQuery(context, { target, page_size: pageSize }),
    staleTime: 0,
  })
  if (callsQuery.error) {
    const retryButton = <Button onClick={() => void callsQuery.refetch()}>Try again</Button>
    const { error } = callsQuery
    return (
      <ErrorNotice
        what="The requests could not be read"
        error={error.toWire()}
        requestId={error.requestId}
        actions={retryButton}
      />
    )
  }
  if (!callsQuery.data) return <Skeleton className="h-24" />
  const { data, meta } = callsQuery.data
  const totalCallCount = meta.total_items ?? data.length
  const allRequestsHref = activityPath(getScopeForListLink(context, context.account), {
    tab: 'requests',
    target,
  })
  return (
    <div className="grid gap-2">
      {data.length === 0 && (
        <p className="text-ink-3">No requests on record. Requests are kept for 90 days.</p>
      )}
      <ul aria-label="Requests, newest first" className="grid">
        {data.map((call) => (
          <CallListItem key={call.id} call={call} />
        ))}
      </ul>
      <p className="flex flex-wrap items-center gap-x-3 text-ink-3 text-xs">
        {totalCallCount > data.length &&
          `The newest ${data.length} of ${toCountText(totalCallCount)}.`}
        <Link href={allRequestsHref} className="text-accent hover:underline">
          All in Activity{toOtherAccountSuffix(context, context.account)}
        </Link>
        <RefreshButton
          variant="quiet"
          reading={callsQuery.isFetching}
          onRefresh={() => void callsQuery.refetch()}
        >
          Refresh<span className="sr-only"> the requests</span>
        </RefreshButton>
      </p>
    </div>
  )
}

const CallListItem = ({ call }: { call: LoggedCall }) => (
  <li className="grid min-h-8 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 border-line border-b py-0.5 text-sm last:border-b-0">
    <span className="flex min-w-0 items-baseline gap-2">
      <CallDetails call={call} />
      <ExternalText className="truncate text-ink-3 text-xs">{call.person}</ExternalText>
    </span>
    <span className="flex items-center gap-1.5">
      {call.replayed && <Badge>Replayed</Badge>}
      <StatusBadge tone={getCallTone(call)}>{String(call.status)}</StatusBadge>
    </span>
    <RelativeTime at={call.at} show="ago" className="text-right text-ink-3 text-xs" />
  </li>
)
