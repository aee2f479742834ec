'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import { fundingColumns } from './funding-columns'
import { fundingList } from './funding-list'
import type { FundingRow } from './funding-row'

const FundingPanel = lazy(() => import('./funding-panel').then((module) => ({ default: module.FundingPanel })))

/** The rows of the list of funding events. */
export function FundingTable({ rows, view, caption }: TableProps<FundingRow>) {
  const desk = useDesk()
  const hrefOf = useRowHref<FundingRow>(fundingList)
  return <ListTable spec={fundingList} view={view} caption={caption} rows={rows} columns={fundingColumns({ desk, hrefOf })} />
}

/** The list with the opened funding event beside it. */
export const FundingSplit = (props: SplitProps) => <ListSplit {...props} noun="funding event" Panel={FundingPanel} />
