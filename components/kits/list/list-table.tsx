'use client'

import type { ReactNode } from 'react'
import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { useRowKeys } from '@/components/kits/data-table/use-row-keys'
import { useDesk } from '@/components/kits/layout/desk-context'
import { listPath, recordPath } from '@/lib/routes'
import type { ListRow } from './list'
import { isPlainClick, ListLink } from './list-frame'
import { type ListSpec, type ListView, shownColumns } from './list-spec'
import { sortHref } from './list-view'
import { useOpenRow } from './use-open-row'

/** A column of a list; `sort` makes its head a link that sorts by that name. */
export type ListColumn<Row> = Column<Row> & { sort?: string }

type ListTableProps<Row extends ListRow> = {
  spec: ListSpec
  view: ListView
  caption: string
  rows: readonly Row[]
  columns: readonly (ListColumn<Row> | null)[]
  /** Where a row's own page is, when it is not that of the list's resource. */
  hrefOf?: (row: Row) => string
}

/** The rows of a list with sortable heads, `j`, `k` and `Enter`, and the open row in the URL, so Back closes it and a link opens it. */
export function ListTable<Row extends ListRow>({ spec, view, caption, rows, columns, hrefOf }: ListTableProps<Row>) {
  const desk = useDesk()
  const { open, show } = useOpenRow()
  const pageOf = useRowHref(spec, hrefOf)
  const openRow = (id: string) => {
    const row = rows.find((each) => each.id === id)
    if (row) show(id, pageOf(row))
  }
  const ids = rows.map((row) => row.id)
  const current = useRowKeys(ids, openRow, open)
  const shown = shownColumns(spec, view)
  const drawn = columns
    .filter((column) => column !== null)
    .filter((column) => !spec.columns?.[column.id] || shown.includes(column.id))
    .map(({ sort, ...column }) => (sort ? sortable(column, sort, view, sortHref(spec, desk, view, sort)) : column))
  return <DataTable caption={caption} columns={drawn} rows={rows} rowId={(row) => row.id} current={current} open={open} />
}

/** The page of a row in the present scope. */
export function useRowHref<Row extends ListRow>(spec: ListSpec, hrefOf?: (row: Row) => string): (row: Row) => string {
  const { environment, account } = useDesk()
  if (hrefOf) return hrefOf
  const { resource } = spec
  if (resource === 'payments') return () => listPath(environment, resource, { account })
  return (row) => recordPath(environment, resource, row.id, { account })
}

function sortable<Row>(column: Column<Row>, sort: string, view: ListView, href: string): Column<Row> {
  const sorted = view.sort === sort ? view.order : null
  const arrow = sorted === null ? '' : sorted === 'asc' ? '↑' : '↓'
  return {
    ...column,
    sorted,
    header: (
      <ListLink href={href} className="inline-flex items-center gap-1 hover:text-ink">
        {column.header}
        <span aria-hidden="true" className="w-2 text-ink">
          {arrow}
        </span>
      </ListLink>
    ),
  }
}

type RowLinkProps = { id: string; href: string; children: ReactNode /** Says which one it is, for a list of links. */; hidden?: string }

/** The link that covers its row, so that a click anywhere opens it, while text selection and new tabs work as with any link. */
export function RowLink({ id, href, hidden, children }: RowLinkProps) {
  const { show } = useOpenRow()
  return (
    <a
      href={href}
      className="block truncate font-medium text-ink after:absolute after:inset-0 group-hover:underline"
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        show(id, href)
      }}
    >
      {children}
      {/* At the row's edge: after a long name it would lie outside of the window and make the page wider than it. */}
      {hidden && <span className="sr-only left-0">, {hidden}</span>}
    </a>
  )
}
