'use client'

import { lazy } from 'react'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import { organizationColumns } from './organization-columns'
import { organizationList } from './organization-list'
import type { OrganizationRow } from './organization-row'

const OrganizationPanel = lazy(() => import('./organization-panel').then((module) => ({ default: module.OrganizationPanel })))

/** The rows of the list of organizations. */
export function OrganizationTable({ rows, view, caption }: TableProps<OrganizationRow>) {
  const hrefOf = useRowHref<OrganizationRow>(organizationList)
  return <ListTable spec={organizationList} view={view} caption={caption} rows={rows} columns={organizationColumns(hrefOf)} />
}

/** The list with the opened organization beside it. */
export const OrganizationSplit = (props: SplitProps) => <ListSplit {...props} noun="organization" Panel={OrganizationPanel} />
