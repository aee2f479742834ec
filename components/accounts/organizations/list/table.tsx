'use client'

import { lazy } from 'react'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { createdColumn } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { type OrganizationRow, organizationList } from './list'

const organizationColumns = (hrefOf: (row: OrganizationRow) => string): readonly ListColumn<OrganizationRow>[] => [
  { id: 'name', sort: 'name', header: 'Name', narrow: 'title', cell: nameCell(hrefOf), className: '@min-[44rem]:w-[34%]' },
  { id: 'accounts', header: 'Accounts', narrow: 'figure', cell: accountsCell, className: '@min-[44rem]:w-44' },
  { id: 'external', header: 'External ID', narrow: 'line', cell: externalCell },
  { id: 'metadata', header: 'Metadata', cell: metadataCell, className: '@max-[56rem]:hidden w-28' },
  createdColumn({ show: 'both', className: '@min-[44rem]:w-52' }),
]

const nameCell = (hrefOf: (row: OrganizationRow) => string) => (row: OrganizationRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={`organization ${row.id.slice(-6)}`}>
    <OutsideText>{row.name}</OutsideText>
  </RowLink>
)

const accountsCell = ({ accounts }: OrganizationRow) => (
  <span className="text-ink-2 tabular-nums">{accounts === null ? 'not counted' : `${accounts.all}, ${accounts.active} active`}</span>
)

const externalCell = ({ external_id: id }: OrganizationRow) => (
  <OutsideText className={id ? 'text-ink-2' : 'text-ink-3'}>{id ?? 'none'}</OutsideText>
)

const metadataCell = ({ metadata }: OrganizationRow) => (
  <span className="text-ink-3">{metadata === 0 ? 'none' : `${metadata} ${metadata === 1 ? 'key' : 'keys'}`}</span>
)

const OrganizationPanel = lazy(() =>
  import('@/components/accounts/organizations/record/panel').then((module) => ({ default: module.OrganizationPanel })),
)

export function OrganizationTable({ rows, view, caption }: TableProps<OrganizationRow>) {
  const hrefOf = useRowHref<OrganizationRow>(organizationList)
  return <ListTable spec={organizationList} view={view} caption={caption} rows={rows} columns={organizationColumns(hrefOf)} />
}

export const OrganizationSplit = (props: SplitProps) => <ListSplit {...props} noun="organization" Panel={OrganizationPanel} />
