import type { ReactNode } from 'react'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { type ListColumn, RowLink } from '@/components/kits/list/list-table'
import { StatusBadge } from '@/components/ui/status-badge'
import { formatMinor } from '@/lib/money'
import type { AccountRow } from './account-row'

/** The columns: who it is, where it stands and why, what it may do, how much, whose it is, since when. */
export const accountColumns = (hrefOf: (row: AccountRow) => string): readonly ListColumn<AccountRow>[] => [
  { id: 'name', sort: 'name', header: 'Name', narrow: 'title', cell: nameCell(hrefOf), className: '@min-[44rem]:w-[24%]' },
  { id: 'state', header: 'State', narrow: 'line', cell: stateCell, className: '@min-[44rem]:w-[24%]' },
  {
    id: 'capabilities',
    header: 'Capabilities',
    cell: (row) => <span className="text-ink-2">{row.capabilities}</span>,
    className: '@max-[50rem]:hidden',
  },
  { id: 'limits', header: 'Charge / payout up to', align: 'end', cell: limitCell, className: '@max-[64rem]:hidden w-44' },
  { id: 'organization', header: 'Organization', cell: organizationCell, className: '@max-[58rem]:hidden w-[14%]' },
  { id: 'created', sort: 'created_at', header: createdHead, narrow: 'note', cell: ageCell, className: '@min-[44rem]:w-32' },
]

const createdHead: ReactNode = (
  <span>
    Created, <ZoneName />
  </span>
)

const nameCell = (hrefOf: (row: AccountRow) => string) => (row: AccountRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={row.legal}>
    <bdi>{row.name}</bdi>
    {row.legal && (
      <span aria-hidden="true" className="font-normal text-ink-3">
        {' '}
        <bdi>{row.legal}</bdi>
      </span>
    )}
  </RowLink>
)

const stateCell = (row: AccountRow) => (
  <span className="flex items-center gap-2 @max-[44rem]:text-xs">
    <StatusBadge tone={row.tone}>{row.status}</StatusBadge>
    {row.why && (
      <span className="truncate text-ink-2" title={row.why}>
        {row.why}
      </span>
    )}
  </span>
)

const figure = (value: number | undefined) => (value === undefined ? 'unknown' : formatMinor(value))

const limitCell = (row: AccountRow) => (
  <span className="text-ink-2 tabular-nums">
    {figure(row.maxCharge)} <span className="text-ink-3">/</span> {figure(row.maxPayout)}
  </span>
)

const organizationCell = (row: AccountRow) => <bdi className="text-ink-2">{row.organization ?? 'none'}</bdi>

const ageCell = (row: AccountRow) => (
  <>
    <RelativeTime at={row.created_at} show="moment" zone={false} className="text-ink-2 @max-[44rem]:hidden" />
    <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
  </>
)
