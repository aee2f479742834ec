'use client'

import { lazy } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { buildCreatedColumn, CardText } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { type OrganizationRow, organizationList } from './list'

const buildOrganizationColumns = (
  hrefOf: (row: OrganizationRow) => string,
): readonly ListColumn<OrganizationRow>[] => [
  {
    id: 'name',
    sort: 'name',
    header: 'Name',
    narrow: 'title',
    cell: createNameCell(hrefOf),
  },
  {
    id: 'accounts',
    header: 'Accounts',
    narrow: 'figure',
    cell: renderAccountsCell,
    className: '@min-[44rem]:w-44',
  },
  { id: 'external', header: 'External ID', narrow: 'line', cell: renderExternalIdCell },
  {
    id: 'metadata',
    header: 'Metadata',
    cell: renderMetadataCell,
    className: '@max-[56rem]:hidden',
  },
  buildCreatedColumn({ show: 'both', className: '@min-[44rem]:w-52' }),
]

const createNameCell = (hrefOf: (row: OrganizationRow) => string) => (row: OrganizationRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`organization ${row.id.slice(-6)}`}>
    <ExternalText>{row.name}</ExternalText>
  </RowLink>
)

const renderAccountsCell = ({ accounts }: OrganizationRow) => (
  <span className="text-ink-2 tabular-nums">
    {accounts === null ? (
      'accounts not counted'
    ) : (
      <>
        {accounts.all}
        <CardText>{accounts.all === 1 ? ' account' : ' accounts'}</CardText> ({accounts.active}{' '}
        active)
      </>
    )}
  </span>
)

const renderExternalIdCell = ({ external_id: id }: OrganizationRow) => (
  <ExternalText className={id ? 'text-ink-2' : 'text-ink-3'}>{id ?? 'none'}</ExternalText>
)

const renderMetadataCell = ({ metadata }: OrganizationRow) => (
  <span className="text-ink-3">
    {metadata === 0 ? 'none' : `${metadata} ${metadata === 1 ? 'entry' : 'entries'}`}
  </span>
)

const OrganizationPanel = lazy(() =>
  import('@/components/accounts/organizations/record/panel').then((module) => ({
    default: module.OrganizationPanel,
  })),
)

export function OrganizationTable({ rows, view, caption }: TableProps<OrganizationRow>) {
  const toRowHref = useRowHref<OrganizationRow>(organizationList)
  return (
    <ListTable
      spec={organizationList}
      view={view}
      caption={caption}
      rows={rows}
      columns={buildOrganizationColumns(toRowHref)}
    />
  )
}

export const OrganizationSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="organization" Panel={OrganizationPanel} />
)
