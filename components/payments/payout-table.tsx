'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import { payoutColumns } from './payout-columns'
import { payoutList } from './payout-list'
import type { PayoutRow } from './payout-row'

const PayoutPanel = lazy(() => import('./payout-panel').then((module) => ({ default: module.PayoutPanel })))

/** The rows of the list of payouts. */
export function PayoutTable({ rows, view, caption }: TableProps<PayoutRow>) {
  const desk = useDesk()
  const hrefOf = useRowHref<PayoutRow>(payoutList)
  const columns = payoutColumns({ desk, queue: view.tab.queue === true, hrefOf })
  return <ListTable spec={payoutList} view={view} caption={caption} rows={rows} columns={columns} />
}

/** The list with the opened payout beside it. */
export const PayoutSplit = (props: SplitProps) => <ListSplit {...props} noun="payout" Panel={PayoutPanel} />
