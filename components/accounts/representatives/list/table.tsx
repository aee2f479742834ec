'use client'

import { lazy } from 'react'
import { createAccountCell, renderStateCell } from '@/components/accounts/list/cells'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { buildCreatedColumn } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import type { PageContext } from '@/lib/client/page-context'
import { type RepresentativeRow, representativeList } from './list'

type ColumnOptions = { context: PageContext; hrefOf: (row: RepresentativeRow) => string }

const buildRepresentativeColumns = ({
  context,
  hrefOf,
}: ColumnOptions): readonly (ListColumn<RepresentativeRow> | null)[] => [
  {
    id: 'name',
    sort: 'name',
    header: 'Name',
    narrow: 'title',
    cell: createNameCell(hrefOf),
  },
  {
    id: 'state',
    header: 'Status',
    narrow: 'figure',
    cell: renderStateCell,
  },
  { id: 'relationship', header: 'Relationship', narrow: 'line', cell: renderRelationshipCell },
  context.account === null
    ? {
        id: 'account',
        header: 'Account',
        cell: createAccountCell(context),
        className: '@max-[56rem]:hidden',
      }
    : null,
  buildCreatedColumn({ show: 'both', className: '@min-[44rem]:w-54' }),
]

const createNameCell = (hrefOf: ColumnOptions['hrefOf']) => (row: RepresentativeRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`representative ${row.id.slice(-6)}`}>
    <ExternalText>{row.name}</ExternalText>
  </RowLink>
)

const renderRelationshipCell = (row: RepresentativeRow) => (
  <span className="truncate text-ink-2 @max-[44rem]:text-xs">
    {row.relationship}
    {row.title && (
      <span className="text-ink-3">
        {' '}
        · <ExternalText>{row.title}</ExternalText>
      </span>
    )}
  </span>
)

const RepresentativePanel = lazy(() =>
  import('@/components/accounts/representatives/record/panel').then((module) => ({
    default: module.RepresentativePanel,
  })),
)

export function RepresentativeTable({ rows, view, caption }: TableProps<RepresentativeRow>) {
  const context = usePageContext()
  const toRowHref = useRowHref<RepresentativeRow>(representativeList)
  const columns = buildRepresentativeColumns({ context, hrefOf: toRowHref })
  return (
    <ListTable
      spec={representativeList}
      view={view}
      caption={caption}
      rows={rows}
      columns={columns}
    />
  )
}

export const RepresentativeSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="representative" Panel={RepresentativePanel} />
)
