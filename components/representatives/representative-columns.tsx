import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { type ListColumn, RowLink } from '@/components/kits/list/list-table'
import { StatusBadge } from '@/components/ui/status-badge'
import { accountName, type Desk } from '@/lib/client/desk'
import type { RepresentativeRow } from './representative-row'

type Context = { desk: Desk; hrefOf: (row: RepresentativeRow) => string }

/** The columns: who it is, where the verification stands, what they are to the account, which one, since when. */
export const representativeColumns = ({ desk, hrefOf }: Context): readonly (ListColumn<RepresentativeRow> | null)[] => [
  { id: 'name', sort: 'name', header: 'Name', narrow: 'title', cell: nameCell(hrefOf), className: '@min-[44rem]:w-[20%]' },
  { id: 'state', header: 'State', narrow: 'figure', cell: stateCell, className: '@min-[44rem]:w-[24%]' },
  { id: 'relationship', header: 'Relationship', narrow: 'line', cell: relationshipCell },
  desk.account === null ? { id: 'account', header: 'Account', cell: accountCell(desk), className: '@max-[56rem]:hidden w-[16%]' } : null,
  { id: 'created', sort: 'created_at', header: <CreatedHead />, narrow: 'note', cell: ageCell, className: '@min-[44rem]:w-48' },
]

const CreatedHead = () => (
  <span>
    Created, <ZoneName />
  </span>
)

const nameCell = (hrefOf: Context['hrefOf']) => (row: RepresentativeRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`representative ${row.id.slice(-6)}`}>
    <bdi>{row.name}</bdi>
  </RowLink>
)

const stateCell = (row: RepresentativeRow) => (
  <span className="flex items-center gap-2">
    <StatusBadge tone={row.tone}>{row.status}</StatusBadge>
    {row.why && (
      <span className="truncate text-ink-2 @max-[44rem]:hidden" title={row.why}>
        {row.why}
      </span>
    )}
  </span>
)

const relationshipCell = (row: RepresentativeRow) => (
  <span className="truncate text-ink-2 @max-[44rem]:text-xs">
    {row.relationship}
    {row.title && (
      <span className="text-ink-3">
        {' '}
        · <bdi>{row.title}</bdi>
      </span>
    )}
  </span>
)

const accountCell = (desk: Desk) => (row: RepresentativeRow) =>
  row.account === null ? (
    <span className="text-ink-3">the platform</span>
  ) : (
    <bdi className="text-ink-2">{accountName(desk, row.account)}</bdi>
  )

const ageCell = (row: RepresentativeRow) => (
  <>
    <RelativeTime at={row.created_at} zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)
