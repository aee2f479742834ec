'use client'

import { lazy } from 'react'
import { createAccountCell, renderStateCell } from '@/components/accounts/list/cells'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { BankCell, buildCreatedColumn } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { Badge } from '@/components/ui/tone'
import type { PageContext } from '@/lib/client/page-context'
import { type LinkedAccountRow, linkedAccountList } from './list'

type ColumnOptions = { context: PageContext; hrefOf: (row: LinkedAccountRow) => string }

const buildLinkedAccountColumns = ({
  context,
  hrefOf,
}: ColumnOptions): readonly (ListColumn<LinkedAccountRow> | null)[] => [
  {
    id: 'bank',
    header: 'Bank account',
    narrow: 'title',
    cell: createBankCell(hrefOf),
  },
  {
    id: 'state',
    header: 'Status',
    narrow: 'figure',
    cell: renderStateCell,
  },
  {
    id: 'purposes',
    header: 'Purposes',
    narrow: 'line',
    cell: renderPurposesCell,
  },
  { id: 'holder', header: 'Holder', cell: renderHolderCell, className: '@max-[80rem]:hidden' },
  context.account === null
    ? {
        id: 'account',
        header: 'Account',
        cell: createAccountCell(context),
        className: '@max-[56rem]:hidden',
      }
    : null,
  buildCreatedColumn({ className: '@min-[44rem]:w-40' }),
]

const createBankCell = (hrefOf: ColumnOptions['hrefOf']) => (row: LinkedAccountRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`linked bank account ${row.id.slice(-6)}`}>
    <BankCell name={row.bank} account={row.mask} className="" />
  </RowLink>
)

const renderPurposesCell = (row: LinkedAccountRow) => (
  <span className="flex gap-1">
    {row.purposes.length === 0 && <span className="text-ink-3">nothing</span>}
    {row.purposes.map((purpose) => (
      <Badge key={purpose}>{purpose}</Badge>
    ))}
  </span>
)

const renderHolderCell = (row: LinkedAccountRow) => (
  <ExternalText className="text-ink-2">{row.holder ?? 'unknown'}</ExternalText>
)

const LinkedAccountPanel = lazy(() =>
  import('@/components/accounts/linked-bank-accounts/record/panel').then((module) => ({
    default: module.LinkedPanel,
  })),
)

export function LinkedAccountTable({ rows, view, caption }: TableProps<LinkedAccountRow>) {
  const context = usePageContext()
  const toRowHref = useRowHref<LinkedAccountRow>(linkedAccountList)
  return (
    <ListTable
      spec={linkedAccountList}
      view={view}
      caption={caption}
      rows={rows}
      columns={buildLinkedAccountColumns({ context, hrefOf: toRowHref })}
    />
  )
}

export const LinkedAccountSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="linked bank account" Panel={LinkedAccountPanel} />
)
