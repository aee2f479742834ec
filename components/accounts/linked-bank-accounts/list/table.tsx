'use client'

import { lazy } from 'react'
import { createAccountCell, renderStateCell } from '@/components/accounts/list/cells'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { buildCreatedColumn } from '@/components/kits/list/columns'
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
    className: '@min-[44rem]:w-[24%]',
  },
  {
    id: 'state',
    header: 'Status',
    narrow: 'figure',
    cell: renderStateCell,
    className: '@min-[44rem]:w-[26%]',
  },
  {
    id: 'purposes',
    header: 'Purposes',
    narrow: 'line',
    cell: renderPurposesCell,
    className: '@min-[44rem]:w-60',
  },
  { id: 'holder', header: 'Holder', cell: renderHolderCell, className: '@max-[80rem]:hidden' },
  context.account === null
    ? {
        id: 'account',
        header: 'Account',
        cell: createAccountCell(context),
        className: '@max-[56rem]:hidden w-[14%]',
      }
    : null,
  buildCreatedColumn({ className: '@min-[44rem]:w-40' }),
]

/** A long bank name is truncated; the digits, which identify the bank account, are not. */
const createBankCell = (hrefOf: ColumnOptions['hrefOf']) => (row: LinkedAccountRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`linked bank account ${row.id.slice(-6)}`}>
    <span className="flex gap-1.5">
      <ExternalText className="truncate">{row.bank}</ExternalText>
      {row.mask && (
        <ExternalText className="shrink-0 font-normal text-ink-2">{row.mask}</ExternalText>
      )}
    </span>
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
