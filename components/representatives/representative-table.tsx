'use client'

import { lazy } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import type { TableProps } from '@/components/kits/list/list'
import { ListSplit, type SplitProps } from '@/components/kits/list/list-split'
import { ListTable, useRowHref } from '@/components/kits/list/list-table'
import { representativeColumns } from './representative-columns'
import { representativeList } from './representative-list'
import type { RepresentativeRow } from './representative-row'

const RepresentativePanel = lazy(() => import('./representative-panel').then((module) => ({ default: module.RepresentativePanel })))

/** The rows of the list of representatives. */
export function RepresentativeTable({ rows, view, caption }: TableProps<RepresentativeRow>) {
  const desk = useDesk()
  const hrefOf = useRowHref<RepresentativeRow>(representativeList)
  const columns = representativeColumns({ desk, hrefOf })
  return <ListTable spec={representativeList} view={view} caption={caption} rows={rows} columns={columns} />
}

/** The list with the opened representative beside it. */
export const RepresentativeSplit = (props: SplitProps) => <ListSplit {...props} noun="representative" Panel={RepresentativePanel} />
