'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import { paykeyColumns } from './paykey-columns'
import { paykeyList } from './paykey-list'
import type { PaykeyRow } from './paykey-row'

const PaykeyPanel = lazy(() => import('./paykey-panel').then((module) => ({ default: module.PaykeyPanel })))

/** The rows of the list of paykeys. */
export function PaykeyTable({ rows, view, caption }: TableProps<PaykeyRow>) {
  const desk = useDesk()
  const hrefOf = useRowHref<PaykeyRow>(paykeyList)
  const columns = paykeyColumns({ desk, tab: view.tab.id, hrefOf })
  return <ListTable spec={paykeyList} view={view} caption={caption} rows={rows} columns={columns} />
}

/** The list with the opened paykey beside it. */
export const PaykeySplit = (props: SplitProps) => <ListSplit {...props} noun="paykey" Panel={PaykeyPanel} />
