'use client'

import { lazy } from 'react'
import { accountCell, stateCell } from '@/components/accounts/list/cells'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { createdColumn } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { Badge } from '@/components/ui/tone'
import type { PageContext } from '@/lib/client/page-context'
import { type LinkedRow, linkedList } from './list'

type ColumnOptions = { context: PageContext; hrefOf: (row: LinkedRow) => string }

const linkedColumns = ({ context, hrefOf }: ColumnOptions): readonly (ListColumn<LinkedRow> | null)[] => [
  { id: 'bank', header: 'Bank account', narrow: 'title', cell: bankCell(hrefOf), className: '@min-[44rem]:w-[24%]' },
  { id: 'state', header: 'Status', narrow: 'figure', cell: stateCell, className: '@min-[44rem]:w-[26%]' },
  { id: 'purposes', header: 'Purposes', narrow: 'line', cell: purposesCell, className: '@min-[44rem]:w-60' },
  { id: 'holder', header: 'Holder', cell: holderCell, className: '@max-[80rem]:hidden' },
  context.account === null
    ? { id: 'account', header: 'Account', cell: accountCell(context), className: '@max-[56rem]:hidden w-[14%]' }
    : null,
  createdColumn({ className: '@min-[44rem]:w-32' }),
]

/** The bank and the masked number. A long bank name is truncated, the number never, because its digits identify the account. */
const bankCell = (hrefOf: ColumnOptions['hrefOf']) => (row: LinkedRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`linked bank account ${row.id.slice(-6)}`}>
    <span className="flex gap-1.5">
      <OutsideText className="truncate">{row.bank}</OutsideText>
      {row.mask && <OutsideText className="shrink-0 font-normal text-ink-2">{row.mask}</OutsideText>}
    </span>
  </RowLink>
)

const purposesCell = (row: LinkedRow) => (
  <span className="flex gap-1">
    {row.purposes.length === 0 && <span className="text-ink-3">nothing</span>}
    {row.purposes.map((purpose) => (
      <Badge key={purpose}>{purpose}</Badge>
    ))}
  </span>
)

const holderCell = (row: LinkedRow) => <OutsideText className="text-ink-2">{row.holder ?? 'unknown'}</OutsideText>

const LinkedPanel = lazy(() =>
  import('@/components/accounts/linked-bank-accounts/record/panel').then((module) => ({ default: module.LinkedPanel })),
)

export function LinkedTable({ rows, view, caption }: TableProps<LinkedRow>) {
  const context = usePageContext()
  const hrefOf = useRowHref<LinkedRow>(linkedList)
  return <ListTable spec={linkedList} view={view} caption={caption} rows={rows} columns={linkedColumns({ context, hrefOf })} />
}

export const LinkedSplit = (props: SplitProps) => <ListSplit {...props} noun="linked bank account" Panel={LinkedPanel} />
