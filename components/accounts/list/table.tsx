'use client'

import { lazy } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { buildCreatedColumn } from '@/components/kits/list/columns'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplitView, type SplitViewProps } from '@/components/kits/list/split'
import { type ListColumn, ListTable, RowLink, useRowHref } from '@/components/kits/list/table'
import { StatusBadge } from '@/components/ui/tone'
import { moneyText } from '@/lib/money'
import { type AccountRow, accountList } from './list'

const buildAccountColumns = (
  hrefOf: (row: AccountRow) => string,
): readonly ListColumn<AccountRow>[] => [
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
    narrow: 'line',
    cell: renderStateCell,
  },
  {
    id: 'capabilities',
    header: 'Capabilities',
    cell: (row) => <span className="text-ink-2">{row.capabilities}</span>,
    className: '@max-[50rem]:hidden',
  },
  {
    id: 'limits',
    header: 'Per charge / payout',
    align: 'end',
    cell: renderLimitCell,
    className: '@max-[64rem]:hidden',
  },
  {
    id: 'organization',
    header: 'Organization',
    cell: renderOrganizationCell,
    className: '@max-[58rem]:hidden',
  },
  buildCreatedColumn({ className: '@min-[44rem]:w-40' }),
]

const createNameCell = (hrefOf: (row: AccountRow) => string) => (row: AccountRow) => (
  <RowLink id={row.id} href={hrefOf(row)} hidden={row.legal}>
    <ExternalText>{row.name}</ExternalText>
    {row.legal && (
      <span aria-hidden="true" className="font-normal text-ink-3">
        {' '}
        <ExternalText>{row.legal}</ExternalText>
      </span>
    )}
  </RowLink>
)

const renderStateCell = (row: AccountRow) => (
  <span className="flex items-center gap-2 @max-[44rem]:text-xs">
    <StatusBadge tone={row.tone}>{row.status}</StatusBadge>
    {row.why && (
      <span className="truncate text-ink-2" title={row.why}>
        {row.why}
      </span>
    )}
  </span>
)

const formatAmount = (value: number | undefined) =>
  value === undefined ? 'unknown' : moneyText(value)

const renderLimitCell = (row: AccountRow) => (
  <span className="text-ink-2 tabular-nums">
    {formatAmount(row.maxCharge)} <span className="text-ink-3">/</span>{' '}
    {formatAmount(row.maxPayout)}
  </span>
)

const renderOrganizationCell = (row: AccountRow) => (
  <ExternalText className="text-ink-2">{row.organization ?? 'none'}</ExternalText>
)

const AccountPanel = lazy(() =>
  import('@/components/accounts/record/panel').then((module) => ({ default: module.AccountPanel })),
)

export function AccountTable({ rows, view, caption }: TableProps<AccountRow>) {
  const toRowHref = useRowHref<AccountRow>(accountList)
  return (
    <ListTable
      spec={accountList}
      view={view}
      caption={caption}
      rows={rows}
      columns={buildAccountColumns(toRowHref)}
    />
  )
}

export const AccountSplitView = (props: SplitViewProps) => (
  <ListSplitView {...props} noun="account" Panel={AccountPanel} />
)
