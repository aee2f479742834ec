'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import { customerColumns } from './customer-columns'
import { customerList } from './customer-list'
import type { CustomerRow } from './customer-row'

const CustomerPanel = lazy(() => import('./customer-panel').then((module) => ({ default: module.CustomerPanel })))

/** The rows of the list of customers. */
export function CustomerTable({ rows, view, caption }: TableProps<CustomerRow>) {
  const desk = useDesk()
  const hrefOf = useRowHref<CustomerRow>(customerList)
  const columns = customerColumns({ desk, queue: view.tab.queue === true, hrefOf })
  return <ListTable spec={customerList} view={view} caption={caption} rows={rows} columns={columns} />
}

/** The list with the opened customer beside it. */
export const CustomerSplit = (props: SplitProps) => <ListSplit {...props} noun="customer" Panel={CustomerPanel} />
