'use client'

import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { EmptyState } from '@/components/kits/feedback/empty-state'
import { useHydrated } from '@/components/kits/layout/browser-state'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RowsSkeleton } from '@/components/kits/layout/page-skeletons'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ListLink } from '@/components/kits/list/frame'
import { rowLinkClasses } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/copy-button'
import type { PageContext } from '@/lib/client/page-context'
import { formatErrorCode } from '@/lib/features/activity/labels'
import type { ErrorGroup } from '@/lib/operations/activity'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { listPath } from '@/lib/routes'

type ErrorGroupsProps = {
  groups: readonly ErrorGroup[]
  /** First day of the period, in UTC. */
  since: string
  days: number
}

const toErrorGroupKey = (group: ErrorGroup) =>
  `${group.operation} ${group.error_code} ${group.error_detail ?? ''}`

/**
 * Links to the group's requests in the request log. If the group has no error detail, the log is
 * not filtered by detail and also lists requests with one.
 */
const toGroupRequestsHref = (context: PageContext, since: string, group: ErrorGroup) =>
  listPath(context, 'requests', {
    operation: group.operation,
    error: group.error_code,
    detail: group.error_detail,
    from: since,
  })

const buildErrorGroupColumns = (
  context: PageContext,
  since: string,
): readonly Column<ErrorGroup>[] => [
  {
    id: 'operation',
    header: 'Operation',
    narrow: 'title',
    cell: (group) => (
      <ListLink
        href={toGroupRequestsHref(context, since, group)}
        className={cn(rowLinkClasses, 'block truncate')}
      >
        {getServiceOperation(group.operation).verbPhrase}
        <span className="sr-only">, {formatErrorCode(group.error_code)}</span>
      </ListLink>
    ),
  },
  {
    id: 'error',
    header: 'What went wrong',
    narrow: 'line',
    cell: (group) => (
      <span title={group.error_detail ?? undefined}>
        {formatErrorCode(group.error_code)}
        {group.error_detail && (
          <ExternalText className="text-ink-2">: {group.error_detail}</ExternalText>
        )}
      </span>
    ),
  },
  {
    id: 'calls',
    header: 'Calls',
    narrow: 'figure',
    align: 'end',
    cell: (group) => (
      <strong className="font-semibold tabular-nums">{group.calls.toLocaleString('en-US')}</strong>
    ),
    className: '@min-[44rem]:w-20',
  },
  {
    id: 'people',
    header: 'Users',
    align: 'end',
    cell: (group) => <span className="tabular-nums">{group.people}</span>,
    className: 'w-20',
  },
  {
    id: 'first',
    header: 'First',
    cell: (group) => <RelativeTime at={group.first_at} show="ago" className="text-ink-2" />,
    className: 'w-24',
  },
  {
    id: 'last',
    header: 'Last',
    narrow: 'note',
    cell: (group) => <RelativeTime at={group.last_at} show="ago" className="text-ink-2" />,
    className: '@min-[44rem]:w-24',
  },
  {
    id: 'request',
    header: 'Last request',
    cell: (group) => (
      <span className="relative z-1">
        <ShortId id={group.last_request_id} what="request ID" />
      </span>
    ),
    className: '@max-[64rem]:hidden w-44',
  },
]

export function ErrorGroups({ groups, since, days }: ErrorGroupsProps) {
  const context = usePageContext()
  const isHydrated = useHydrated()
  if (groups.length === 0) {
    return (
      <EmptyState tone="good" className="px-4 lg:px-6" title="No errors">
        <p>No request was refused or failed in the last {days} days.</p>
      </EmptyState>
    )
  }
  if (!isHydrated) return <RowsSkeleton />
  return (
    <DataTable
      caption={`Errors of the last ${days} days, grouped`}
      columns={buildErrorGroupColumns(context, since)}
      rows={groups}
      rowId={toErrorGroupKey}
    />
  )
}
