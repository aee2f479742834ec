import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { type ListColumn, RowLink } from '@/components/kits/list/list-table'
import { Badge } from '@/components/ui/badge'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountName, type Desk } from '@/lib/client/desk'
import type { LinkedRow } from './linked-row'

type Context = { desk: Desk; hrefOf: (row: LinkedRow) => string }

/** The columns: which bank account, whose name is on it, where the verification stands, what it serves, whose it is, since when. */
export const linkedColumns = ({ desk, hrefOf }: Context): readonly (ListColumn<LinkedRow> | null)[] => [
  { id: 'bank', header: 'Bank account', narrow: 'title', cell: bankCell(hrefOf), className: '@min-[44rem]:w-[24%]' },
  { id: 'state', header: 'State', narrow: 'figure', cell: stateCell, className: '@min-[44rem]:w-[26%]' },
  { id: 'purposes', header: 'Serves', narrow: 'line', cell: purposesCell, className: '@min-[44rem]:w-60' },
  { id: 'holder', header: 'Holder', cell: holderCell, className: '@max-[80rem]:hidden' },
  desk.account === null ? { id: 'account', header: 'Account', cell: accountCell(desk), className: '@max-[56rem]:hidden w-[14%]' } : null,
  { id: 'created', sort: 'created_at', header: <CreatedHead />, narrow: 'note', cell: ageCell, className: '@min-[44rem]:w-32' },
]

const CreatedHead = () => (
  <span>
    Created, <ZoneName />
  </span>
)

/** The last four digits tell accounts apart, so it is the bank's name that gives way. */
const bankCell = (hrefOf: Context['hrefOf']) => (row: LinkedRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`linked bank account ${row.id.slice(-6)}`}>
    <span className="flex gap-1.5">
      <bdi className="truncate">{row.bank}</bdi>
      {row.mask && <bdi className="shrink-0 font-normal text-ink-2">{row.mask}</bdi>}
    </span>
  </RowLink>
)

const stateCell = (row: LinkedRow) => (
  <span className="flex items-center gap-2">
    <StatusBadge tone={row.tone}>{row.status}</StatusBadge>
    {row.why && (
      <span className="truncate text-ink-2 @max-[44rem]:hidden" title={row.why}>
        {row.why}
      </span>
    )}
  </span>
)

const purposesCell = (row: LinkedRow) => (
  <span className="flex gap-1">
    {row.purposes.length === 0 && <span className="text-ink-3">nothing</span>}
    {row.purposes.map((purpose) => (
      <Badge key={purpose}>{purpose}</Badge>
    ))}
  </span>
)

const holderCell = (row: LinkedRow) => <bdi className="text-ink-2">{row.holder ?? 'unknown'}</bdi>

const accountCell = (desk: Desk) => (row: LinkedRow) =>
  row.account === null ? (
    <span className="text-ink-3">the platform</span>
  ) : (
    <bdi className="text-ink-2">{accountName(desk, row.account)}</bdi>
  )

const ageCell = (row: LinkedRow) => (
  <>
    <RelativeTime at={row.created_at} show="moment" zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)
