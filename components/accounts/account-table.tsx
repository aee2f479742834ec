'use client'

import { lazy } from 'react'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import { accountColumns } from './account-columns'
import { accountList } from './account-list'
import type { AccountRow } from './account-row'

const AccountPanel = lazy(() => import('./account-panel').then((module) => ({ default: module.AccountPanel })))

/** The rows of the list of accounts. */
export function AccountTable({ rows, view, caption }: TableProps<AccountRow>) {
  const hrefOf = useRowHref<AccountRow>(accountList)
  return <ListTable spec={accountList} view={view} caption={caption} rows={rows} columns={accountColumns(hrefOf)} />
}

/** The list with the opened account beside it. */
export const AccountSplit = (props: SplitProps) => <ListSplit {...props} noun="account" Panel={AccountPanel} />
