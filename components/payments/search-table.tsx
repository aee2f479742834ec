'use client'

import { lazy, type ReactNode } from 'react'
import { Amount } from '@/components/kits/layout/amount'
import { useDesk } from '@/components/kits/layout/desk-context'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { AccountCell } from '@/components/kits/list/account-cell'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { type ListColumn, ListTable, RowLink } from '@/components/kits/list/list-table'
import { Badge } from '@/components/ui/badge'
import { ShortId } from '@/components/ui/short-id'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Desk } from '@/lib/client/desk'
import { dayText } from '@/lib/dates'
import { recordPath } from '@/lib/routes'
import { BankCell } from './bank-cell'
import { searchList } from './search-list'
import type { SearchRow } from './search-row'

const SearchPanel = lazy(() => import('./search-panel').then((module) => ({ default: module.SearchPanel })))

const resourceOf = (row: SearchRow) => (row.type === 'payout' ? 'payouts' : 'charges')

/** The rows of the search; which columns stand is part of its URL. */
export function SearchTable({ rows, view, caption }: TableProps<SearchRow>) {
  const desk = useDesk()
  const hrefOf = (row: SearchRow) => recordPath(desk.environment, resourceOf(row), row.id, { account: desk.account })
  const columns = [...leading(desk, hrefOf), ...optional(desk), last]
  return <ListTable spec={searchList} view={view} caption={caption} rows={rows} columns={columns} hrefOf={hrefOf} />
}

/** The search with the opened payment beside it. */
export const SearchSplit = (props: SplitProps) => <ListSplit {...props} noun="payment" Panel={SearchPanel} />

const inZone = (word: string): ReactNode => (
  <span>
    {word}, <ZoneName />
  </span>
)

const timeCell = (at: string | undefined) => (at ? <RelativeTime at={at} show="moment" zone={false} className="text-ink-2" /> : none)
const none = <span className="text-ink-3">none</span>
const textCell = (text: string | undefined) => (text ? <bdi className="text-ink-2">{text}</bdi> : none)

const leading = (desk: Desk, hrefOf: (row: SearchRow) => string): readonly ListColumn<SearchRow>[] => [
  {
    id: 'created',
    sort: 'created_at',
    narrow: 'note',
    header: inZone('Created'),
    cell: (row) => <RelativeTime at={row.created_at} show="both" zone={false} className="text-ink-2 @max-[44rem]:text-xs" />,
    className: '@min-[44rem]:w-48',
  },
  {
    id: 'amount',
    sort: 'amount',
    narrow: 'figure',
    align: 'end',
    header: 'Amount',
    cell: (row) => <Amount raw={row.amount} currency={row.currency} unit={desk.amountUnit} className="font-medium" />,
    className: '@min-[44rem]:w-28',
  },
  {
    id: 'customer',
    header: 'Customer',
    narrow: 'title',
    cell: (row) => (
      <RowLink id={row.id} href={hrefOf(row)} hidden={`${row.type} ${row.id.slice(-6)}`}>
        <bdi>{row.customer ?? 'Unknown customer'}</bdi>
      </RowLink>
    ),
    className: '@min-[44rem]:w-[16%]',
  },
]

const optional = (desk: Desk): readonly (ListColumn<SearchRow> | null)[] => [
  { id: 'type', header: 'Kind', cell: (row) => textCell(row.type), className: 'w-20' },
  { id: 'bank', header: 'Bank account', cell: ({ bank }) => <BankCell bank={bank} />, className: '@max-[56rem]:hidden w-[14%]' },
  { id: 'state', header: 'State', narrow: 'line', cell: stateCell },
  desk.account === null
    ? {
        id: 'account',
        header: 'Account',
        cell: (row) => <AccountCell resource={resourceOf(row)} id={row.id} known={row.account} />,
        className: 'w-29',
      }
    : null,
  {
    id: 'date',
    sort: 'payment_date',
    header: 'Payment date',
    cell: (row) => <span className="text-ink-2">{row.payment_date ? dayText(row.payment_date) : 'unknown'}</span>,
    className: 'w-28',
  },
  { id: 'effective', sort: 'effective_at', header: inZone('Settled'), cell: (row) => timeCell(row.effective_at), className: 'w-36' },
  { id: 'updated', sort: 'updated_at', header: inZone('Changed'), cell: (row) => timeCell(row.updated_at), className: 'w-36' },
  { id: 'external', header: 'External id', cell: (row) => textCell(row.external_id), className: 'w-36' },
  { id: 'description', header: 'Description', cell: (row) => textCell(row.description), className: 'w-[14%]' },
  { id: 'source', header: 'Source', cell: (row) => textCell(row.source), className: 'w-32' },
  {
    id: 'funding',
    header: 'Funding event',
    cell: (row) => (row.funding[0] ? <ShortId id={row.funding[0]} className="text-ink-3" /> : none),
    className: 'w-36',
  },
]

const last: ListColumn<SearchRow> = {
  id: 'id',
  sort: 'id',
  header: 'Payment',
  cell: (row) => <ShortId id={row.id} className="text-ink-3" />,
  className: '@max-[70rem]:hidden w-36',
}

const stateCell = (row: SearchRow) => (
  <span className="flex items-center gap-2 @max-[44rem]:text-xs">
    <StatusBadge tone={row.tone}>{row.status}</StatusBadge>
    {row.mark && <Badge>{row.mark}</Badge>}
    {row.why && (
      <bdi className="truncate text-ink-2" title={row.why}>
        {row.why}
      </bdi>
    )}
  </span>
)
