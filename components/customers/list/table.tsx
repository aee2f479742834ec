'use client'

import { lazy } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RecordStatusBadge } from '@/components/kits/layout/panel'
import { AccountCell, buildCreatedColumn, queueNameClasses } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { hasAccountColumn, type PageContext } from '@/lib/client/page-context'
import { getNameOrDefault } from '@/lib/domain/service-words'
import { getStateStartTime } from '@/lib/domain/status'
import { type CustomerRow, customerList } from './list'

type ColumnOptions = { context: PageContext; queue: boolean; hrefOf: (row: CustomerRow) => string }

function buildCustomerColumns({
  context,
  queue,
  hrefOf,
}: ColumnOptions): readonly (ListColumn<CustomerRow> | null)[] {
  return [
    buildCreatedColumn({
      id: 'age',
      show: 'both',
      waits: queue ? { word: 'in review', since: getStateStartTime } : undefined,
      className: '@min-[44rem]:w-54',
    }),
    {
      id: 'name',
      sort: 'name',
      narrow: 'title',
      header: 'Name',
      cell: createNameCell(hrefOf),
      className: queue ? queueNameClasses : undefined,
    },
    {
      id: 'kind',
      narrow: 'figure',
      header: 'Type',
      cell: (row) => <span className="text-ink-2">{row.type ?? 'unknown'}</span>,
      className: 'w-28',
    },
    { id: 'contact', narrow: 'line', header: 'Contact, masked', cell: renderContactCell },
    queue
      ? null
      : {
          id: 'state',
          header: 'Status',
          cell: (row) => <RecordStatusBadge kind="customer" status={row.status} />,
          className: 'w-28',
        },
    hasAccountColumn(context, 'customers')
      ? {
          id: 'account',
          header: 'Account',
          cell: (row) => <AccountCell known={row.account} />,
        }
      : null,
    {
      id: 'external',
      header: 'External ID',
      cell: renderExternalIdCell,
      className: '@max-[76rem]:hidden',
    },
  ]
}

const createNameCell = (hrefOf: ColumnOptions['hrefOf']) => (row: CustomerRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`customer ${row.id.slice(-6)}`}>
    <ExternalText>{getNameOrDefault(row.name, row.id)}</ExternalText>
  </RowLink>
)

function renderContactCell({ email, phone }: CustomerRow) {
  const contact = [email, phone].filter(Boolean).join(' · ')
  return (
    <ExternalText className="truncate text-ink-2 @max-[44rem]:text-xs" title={contact}>
      {contact || 'none'}
    </ExternalText>
  )
}

const renderExternalIdCell = (row: CustomerRow) => (
  <ExternalText className="font-mono text-ink-3 text-xs">{row.external_id ?? '—'}</ExternalText>
)

const CustomerPanel = lazy(() =>
  import('@/components/customers/record/panel').then((module) => ({
    default: module.CustomerPanel,
  })),
)
const CustomerPrefetch = lazy(() =>
  import('@/components/customers/record/panel').then((module) => ({
    default: module.CustomerPrefetch,
  })),
)

export function CustomerTable({ rows, view, caption }: TableProps<CustomerRow>) {
  const context = usePageContext()
  const toRowHref = useRowHref<CustomerRow>(customerList)
  const columns = buildCustomerColumns({
    context,
    queue: view.tab.queue === true,
    hrefOf: toRowHref,
  })
  return (
    <ListTable spec={customerList} view={view} caption={caption} rows={rows} columns={columns} />
  )
}

export const CustomerSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="customer" Panel={CustomerPanel} Prefetch={CustomerPrefetch} />
)
