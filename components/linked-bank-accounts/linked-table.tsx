'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import { linkedColumns } from './linked-columns'
import { linkedList } from './linked-list'
import type { LinkedRow } from './linked-row'

const LinkedPanel = lazy(() => import('./linked-panel').then((module) => ({ default: module.LinkedPanel })))

/** The rows of the list of linked bank accounts. */
export function LinkedTable({ rows, view, caption }: TableProps<LinkedRow>) {
  const desk = useDesk()
  const hrefOf = useRowHref<LinkedRow>(linkedList)
  return <ListTable spec={linkedList} view={view} caption={caption} rows={rows} columns={linkedColumns({ desk, hrefOf })} />
}

/** The list with the opened linked bank account beside it. */
export const LinkedSplit = (props: SplitProps) => <ListSplit {...props} noun="linked bank account" Panel={LinkedPanel} />
