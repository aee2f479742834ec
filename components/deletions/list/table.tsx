'use client'

import { ExternalText, PersonName } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { buildCreatedColumn } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { type ListColumn, ListTable, RowLink } from '@/components/kits/list/table'
import { StatusBadge } from '@/components/ui/tone'
import { getAccountName, hasAccountColumn, type PageContext } from '@/lib/client/page-context'
import { formatDay } from '@/lib/dates'
import { deleteCustomerPath, deletionPath } from '@/lib/routes'
import { type DeletionRow, deletionList, deletionStateLabels } from './list'

const toDeletionRowPath = (context: PageContext, row: DeletionRow) =>
  row.state === 'requested'
    ? deleteCustomerPath(context, row.customerId, { account: row.account })
    : deletionPath(context, row.id)

export function DeletionTable({ rows, view, caption }: TableProps<DeletionRow>) {
  const context = usePageContext()
  const toRowHref = (row: DeletionRow) => toDeletionRowPath(context, row)
  return (
    <ListTable
      spec={deletionList}
      view={view}
      caption={caption}
      rows={rows}
      columns={buildDeletionColumns(context, view.tab.id, toRowHref)}
      hrefOf={toRowHref}
    />
  )
}

const buildDeletionColumns = (
  context: PageContext,
  tabId: string,
  hrefOf: (row: DeletionRow) => string,
): readonly (ListColumn<DeletionRow> | null)[] => [
  buildCreatedColumn({
    id: 'age',
    word: 'Requested',
    show: 'both',
    className: '@min-[44rem]:w-54',
  }),
  {
    id: 'who',
    narrow: 'title',
    header: 'Customer',
    cell: (row) => <CustomerNameCell row={row} href={hrefOf(row)} />,
  },
  {
    id: 'state',
    narrow: 'figure',
    header: 'Status',
    cell: renderStateCell,
    className: '@min-[44rem]:w-28',
  },
  { id: 'ground', narrow: 'line', header: 'Requester', cell: renderRequesterCell },
  {
    id: 'basis',
    header: 'Legal ground',
    cell: (row) => (
      <span title={row.basis} className="text-ink-2">
        {row.basis}
      </span>
    ),
    className: '@max-[56rem]:hidden',
  },
  { id: 'ticket', header: 'Ticket', cell: renderTicketCell },
  { id: 'due', sort: 'due_on', header: 'Due', cell: renderDueDateCell, className: 'w-40' },
  hasAccountColumn(context, 'customers')
    ? {
        id: 'account',
        header: 'Account',
        cell: (row) => <ExternalText>{getAccountName(context, row.account)}</ExternalText>,
      }
    : null,
  deletionList.columns.executed?.tabs?.includes(tabId)
    ? { id: 'executed', header: 'Deleted', cell: renderExecutedCell, className: 'w-26' }
    : null,
  {
    id: 'by',
    header: 'Requested by',
    cell: renderRequestedByCell,
    className: '@max-[60rem]:hidden',
  },
]

const renderExecutedCell = (row: DeletionRow) =>
  row.executed_at ? (
    <RelativeTime at={row.executed_at} show="ago" className="text-ink-2" />
  ) : (
    <span className="text-ink-3">no</span>
  )

/** The name is unknown if the customer is deleted or could not be read. */
const CustomerNameCell = ({ row, href }: { row: DeletionRow; href: string }) => (
  <RowLink id={row.id} href={href} hidden={`request ${row.id.slice(-6)}`}>
    {row.name ? (
      <ExternalText>{row.name}</ExternalText>
    ) : (
      <span className="font-mono text-xs">customer …{row.customerId.slice(-6)}</span>
    )}
  </RowLink>
)

function renderStateCell(row: DeletionRow) {
  const { tone, label } = deletionStateLabels[row.state]
  return <StatusBadge tone={tone}>{label}</StatusBadge>
}

const renderRequesterCell = (row: DeletionRow) => (
  <span className="truncate text-ink-2 @max-[44rem]:text-xs" title={`${row.asker}; ${row.basis}`}>
    {row.asker}
    {row.ticket && <span className="text-ink-3"> · {row.ticket}</span>}
  </span>
)

const renderTicketCell = (row: DeletionRow) =>
  row.ticket ? (
    <ExternalText className="font-mono text-xs">{row.ticket}</ExternalText>
  ) : (
    <span className="text-ink-3">none</span>
  )

function renderDueDateCell(row: DeletionRow) {
  if (!row.due_on) return <span className="text-ink-3">no day</span>
  return (
    <span className={row.late ? 'font-medium text-bad' : 'text-ink-2'}>
      {row.late ? `overdue: ${formatDay(row.due_on)}` : formatDay(row.due_on)}
    </span>
  )
}

const renderRequestedByCell = (row: DeletionRow) => (
  <span className="text-ink-2">
    <PersonName own={row.own} name={row.by} />
  </span>
)
