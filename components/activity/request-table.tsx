import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { ListLink } from '@/components/kits/list/list-frame'
import { CallDetails } from '@/components/kits/requests/call-details'
import { callTone, wrongText } from '@/components/kits/requests/call-words'
import { Badge } from '@/components/ui/badge'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountName, type Desk } from '@/lib/client/desk'
import type { LoggedCall } from '@/lib/operations/activity'
import { type ActivityView, activityHref } from './activity-view'
import { TargetLink } from './target-link'

const timeHead = (
  <span>
    Time, <ZoneName />
  </span>
)

const columns = (desk: Desk, view: ActivityView): readonly Column<LoggedCall>[] => [
  {
    id: 'at',
    header: timeHead,
    narrow: 'note',
    cell: (call) => <RelativeTime at={call.at} show="both" zone={false} className="text-ink-2 text-xs" />,
    className: '@min-[44rem]:w-44',
  },
  {
    id: 'operation',
    header: 'Operation',
    narrow: 'title',
    cell: (call) => <CallDetails call={call} className="min-h-6 max-w-full after:absolute after:inset-0" />,
  },
  {
    id: 'person',
    header: 'Person',
    cell: (call) => (
      <ListLink
        href={activityHref(desk.environment, desk.account, view, { person: call.person_id })}
        title={`Only calls of ${call.person}`}
        className="relative z-1 text-ink-2 hover:underline"
      >
        <bdi>{call.person}</bdi>
      </ListLink>
    ),
    className: '@max-[56rem]:hidden w-30',
  },
  {
    id: 'target',
    header: 'On',
    narrow: 'line',
    cell: (call) => <TargetLink environment={desk.environment} account={call.account} target={call.target} />,
    className: '@min-[44rem]:w-36',
  },
  {
    id: 'account',
    header: 'Account',
    cell: (call) => <bdi className="text-ink-2">{call.account ? accountName(desk, call.account) : 'whole platform'}</bdi>,
    className: '@max-[72rem]:hidden w-36',
  },
  {
    id: 'status',
    header: 'Answer',
    narrow: 'figure',
    cell: (call) => (
      <span className="flex items-center gap-1.5 @max-[44rem]:justify-end" title={wrongText(call) ?? undefined}>
        <StatusBadge tone={callTone(call)}>{String(call.status)}</StatusBadge>
        {call.replayed && <Badge>Replayed</Badge>}
        <span className="truncate text-ink-3 text-xs @max-[44rem]:hidden">{call.error_code?.replaceAll('_', ' ')}</span>
      </span>
    ),
    className: '@min-[44rem]:w-48',
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

type RequestTableProps = { desk: Desk; view: ActivityView; calls: readonly LoggedCall[]; caption: string }

/** The calls of a page of the log; each opens what is kept of it. Bodies are never kept, so none can be shown. */
export const RequestTable = ({ desk, view, calls, caption }: RequestTableProps) => (
  <DataTable caption={caption} columns={columns(desk, view)} rows={calls} rowId={(call) => call.id} />
)
