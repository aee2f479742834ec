import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { Badge } from '@/components/ui/badge'
import { ShortId } from '@/components/ui/short-id'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountName, type Desk } from '@/lib/client/desk'
import type { Tone } from '@/lib/domain/status'
import type { LoggedCall } from '@/lib/operations/activity'
import { rowOf } from '@/lib/operations/rows'
import { TargetLink } from './target-link'

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'held' : 'bad')

const timeHead = (
  <span>
    Time, <ZoneName />
  </span>
)

const columns = (desk: Desk): readonly Column<LoggedCall>[] => [
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
    cell: (call) => <span title={call.operation}>{rowOf(call.operation).does}</span>,
  },
  { id: 'person', header: 'Person', cell: (call) => <bdi className="text-ink-2">{call.person}</bdi>, className: 'w-32' },
  {
    id: 'target',
    header: 'On',
    narrow: 'line',
    cell: (call) => <TargetLink environment={desk.environment} account={call.account} target={call.target} />,
    className: '@min-[44rem]:w-44',
  },
  {
    id: 'account',
    header: 'Account',
    cell: (call) => <bdi className="text-ink-2">{call.account ? accountName(desk, call.account) : 'whole platform'}</bdi>,
    className: '@max-[64rem]:hidden w-36',
  },
  {
    id: 'status',
    header: 'Answer',
    narrow: 'figure',
    cell: (call) => (
      <span className="flex items-center gap-1.5" title={[call.error_code, call.error_detail].filter(Boolean).join(': ') || undefined}>
        <StatusBadge tone={toneOf(call.status)}>{String(call.status)}</StatusBadge>
        {call.replayed && <Badge>Replayed</Badge>}
        <span className="truncate text-ink-3 text-xs @max-[44rem]:hidden">{call.error_code?.replaceAll('_', ' ')}</span>
      </span>
    ),
    className: '@min-[44rem]:w-52',
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
    className: 'w-14',
  },
  {
    id: 'ids',
    header: 'Request id',
    cell: (call) => <ShortId id={call.api_request_id ?? call.request_id} what="request id" />,
    className: '@max-[76rem]:hidden w-44',
  },
]

/** The calls of a page of the log. Bodies are never kept, so none can be shown. */
export const RequestTable = ({ desk, calls, caption }: { desk: Desk; calls: readonly LoggedCall[]; caption: string }) => (
  <DataTable caption={caption} columns={columns(desk)} rows={calls} rowId={(call) => call.id} />
)
