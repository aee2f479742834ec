'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { useHydrated } from '@/components/kits/layout/browser-state'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RowsSkeleton } from '@/components/kits/layout/page-skeletons'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { ListLink, useListNavigation } from '@/components/kits/list/frame'
import { type ListViewState, listVisibleColumns } from '@/components/kits/list/spec'
import { CallDetails, formatCallError, getCallTone } from '@/components/kits/requests/call-details'
import { linkClasses } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/copy-button'
import { Badge, StatusBadge } from '@/components/ui/tone'
import { getScopeName, type PageContext } from '@/lib/client/page-context'
import { requestsQuery } from '@/lib/client/query/reads'
import { formatErrorCode } from '@/lib/features/activity/labels'
import type { CallFilter, LoggedCall } from '@/lib/operations/activity'
import { toCountText } from '@/lib/operations/list-count'
import { type LinkScope, targetPath } from '@/lib/routes'
import { type CallFieldValues, requestList, toCalls, toPersonRequestsHref } from './list'

const pollIntervalMs = 30_000

type NewerRequestsNoticeProps = {
  filter: CallFilter
  /** Time (ISO) of the newest request shown; of the read if none is shown. */
  after: string
}

/**
 * The number of newer requests, with a button to show them. They are not inserted automatically,
 * because rows would move under the pointer.
 */
export function NewerRequestsNotice({ filter, after }: NewerRequestsNoticeProps) {
  const { environment, account } = usePageContext()
  const { refresh } = useListNavigation()
  const newerFilter = { ...filter, after, page_size: 1 }
  const pollOptions = {
    refetchInterval: pollIntervalMs,
    staleTime: pollIntervalMs,
    initialData: { data: [], meta: { request_id: '' }, replayed: false },
  }
  const { data } = useQuery({
    ...requestsQuery({ environment, account }, newerFilter),
    ...pollOptions,
  })
  const newerCount = data?.meta.total_items ?? 0
  return (
    <span role="status">
      {newerCount > 0 && (
        <button
          type="button"
          onClick={refresh}
          className="rounded-sm px-1 text-accent hover:underline"
        >
          {toCountText(newerCount)} newer, show
        </button>
      )}
    </span>
  )
}

type TargetLinkProps = {
  place: LinkScope
  operation: string
  account: string | null
  target: string | null
}

const formatMissingTarget = (operation: string): string =>
  /\.(?:list|search|by_email)$/.test(operation) ? 'several records' : 'no known record'

/**
 * A link to the record that a request or action concerns. If records of that kind have no page,
 * only the kind is shown. `target` is null for a list or a search, and for a record that was not
 * created or may not have been.
 */
export function TargetLink({ place, operation, account, target }: TargetLinkProps) {
  if (!target) return <span className="text-ink-3">{formatMissingTarget(operation)}</span>
  const [resource = '', id = ''] = target.split('/')
  const targetLabel = resource.replaceAll('_', ' ').replace(/s$/, '')
  const href = targetPath(place, target, { account })
  if (href === null) return <span className="text-ink-2">{targetLabel}</span>
  return (
    <Link
      href={href}
      title={id}
      className={cn(
        linkClasses,
        'relative z-1 inline-block min-h-6 max-w-full truncate align-middle leading-6',
      )}
    >
      {targetLabel} …{id.slice(-6)}
    </Link>
  )
}

const timeColumnHeader = (
  <span>
    Time, <ZoneName />
  </span>
)

const responseColumns: readonly Column<LoggedCall>[] = [
  {
    id: 'status',
    header: 'Answer',
    narrow: 'figure',
    cell: (call) => (
      <span
        className="flex items-center gap-1.5 @max-[44rem]:justify-end"
        title={formatCallError(call) ?? undefined}
      >
        <StatusBadge tone={getCallTone(call)}>{String(call.status)}</StatusBadge>
        {call.replayed && <Badge>Replayed</Badge>}
        <span className="truncate text-ink-3 text-xs @max-[44rem]:hidden">
          {formatErrorCode(call.error_code)}
        </span>
      </span>
    ),
    className: '@min-[44rem]:w-48',
  },
  {
    id: 'request',
    header: 'Request ID',
    cell: (call) => (
      <span className="relative z-1">
        <ShortId id={call.request_id} what="request ID" />
      </span>
    ),
    className: 'w-40',
  },
  {
    id: 'took',
    header: 'ms',
    align: 'end',
    cell: (call) => <span className="tabular-nums">{call.took_ms.toLocaleString('en-US')}</span>,
    className: 'w-16',
  },
  {
    id: 'attempts',
    header: 'Sent',
    align: 'end',
    cell: (call) => <span className="tabular-nums">{call.attempts}×</span>,
    className: 'w-17',
  },
]

const buildRequestColumns = (
  context: PageContext,
  view: ListViewState,
): readonly Column<LoggedCall>[] => [
  {
    id: 'at',
    header: timeColumnHeader,
    narrow: 'note',
    cell: (call) => (
      <RelativeTime at={call.at} show="both" zone={false} className="text-ink-2 text-xs" />
    ),
    className: '@min-[44rem]:w-44',
  },
  {
    id: 'operation',
    header: 'Operation',
    narrow: 'title',
    cell: (call) => (
      <CallDetails call={call} className="min-h-6 max-w-full after:absolute after:inset-0" />
    ),
  },
  {
    id: 'person',
    header: 'User',
    cell: (call) => (
      <ListLink
        href={toPersonRequestsHref(context, view, call.person_id)}
        title={`Only calls of ${call.person}`}
        className={cn(linkClasses, 'relative z-1')}
      >
        <ExternalText>{call.person}</ExternalText>
      </ListLink>
    ),
    className: '@max-[56rem]:hidden',
  },
  {
    id: 'target',
    header: 'Record',
    narrow: 'line',
    cell: (call) => <TargetLink place={context} {...call} />,
  },
  {
    id: 'account',
    header: 'Account',
    cell: (call) => (
      <ExternalText className="text-ink-2">{getScopeName(context, call.account)}</ExternalText>
    ),
    className: '@max-[72rem]:hidden',
  },
  ...responseColumns,
]

/**
 * `children` are shown below the rows and only together with them. Otherwise they would move down
 * when the rows appear.
 */
type RequestTableProps = { view: ListViewState; calls: CallFieldValues; children: ReactNode }

/**
 * A page of the request log. Each row opens the logged details of a request; bodies are never
 * logged. Rows are rendered in the browser only, because markup and hydration data of 50 rows are
 * half a megabyte.
 */
export function RequestTable({ view, calls, children }: RequestTableProps) {
  const context = usePageContext()
  const rows = useMemo(() => toCalls(calls), [calls])
  const visibleColumns = listVisibleColumns(requestList, view)
  const tableColumns = buildRequestColumns(context, view).filter(
    ({ id }) => !(id in requestList.columns) || visibleColumns.includes(id),
  )
  if (!useHydrated()) return <RowsSkeleton />
  return (
    <>
      <DataTable
        caption="Requests, newest first"
        columns={tableColumns}
        rows={rows}
        rowId={(call) => call.id}
      />
      {children}
    </>
  )
}
