'use client'

import { type ReactNode, useState } from 'react'
import { type Column, DataTable } from '@/components/kits/data-table/data-table'
import { findNeighbor, useLastOrderWithRow } from '@/components/kits/data-table/row-order'
import { focusRecordHeading } from '@/components/kits/layout/focus'
import { isPlainClick } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { ClaimBadge, useClaims } from '@/components/kits/queue/claim-badge'
import { rowLinkClasses } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { type Claim, claimableResources } from '@/lib/operations/claims'
import { listPath, recordPath, recordResources } from '@/lib/routes'
import { AwaitingApprovalBadge, useAwaitingRowIds } from './approval-badge'
import { ListLink } from './frame'
import { useOpenRowState } from './open-row'
import { useStableRows } from './pending-changes'
import { type ListRow, type ListSpec, type ListViewState, listVisibleColumns } from './spec'
import { toSortHref, toViewHref } from './view'

const findRowElement = (id: string) => document.querySelector(`[data-row="${CSS.escape(id)}"]`)

export const scrollToRow = (id: string): void =>
  findRowElement(id)?.scrollIntoView({ block: 'nearest' })

/**
 * Focuses the link of a row and returns true. Returns false if there is no such row, or if the
 * record covers the list; in that case the record's heading takes the focus.
 */
export function focusRow(id: string): boolean {
  const rowLink = findRowElement(id)?.querySelector('a')
  if (!rowLink) return false
  rowLink.focus({ preventScroll: true })
  scrollToRow(id)
  if (document.activeElement === rowLink) return true
  focusRecordHeading(id)
  return false
}

const shortcutLabels = {
  group: 'List',
  keys: { j: 'Next row', k: 'Previous row', Enter: 'Open the row' },
}

/**
 * Moves through the rows of a `DataTable` with `j` and `k`; `Enter` opens the current row. Returns
 * the current row's id, or null before the first key.
 *
 * While a row is open, it is the current row, and `j` and `k` open another row in its place
 * (`walk`). The highlighted row is therefore always the open one, and a decision key cannot affect
 * another record. The row's link takes the focus, because otherwise `Enter` would activate the
 * control that had the focus.
 */
export function useRowShortcuts(
  ids: readonly string[],
  onOpen: (id: string, walk: boolean) => void,
  openRowId: string | null,
): string | null {
  const [chosen, setChosen] = useState(openRowId)
  if (openRowId !== null && openRowId !== chosen) setChosen(openRowId)
  const currentId = openRowId ?? chosen
  const previousIds = useLastOrderWithRow(ids, currentId)
  const moveToNeighbor = (step: 1 | -1) => {
    const nextId = currentId === null ? ids[0] : findNeighbor(currentId, ids, previousIds, step)
    if (nextId === undefined) return
    if (openRowId === null) setChosen(nextId)
    else if (nextId !== openRowId) onOpen(nextId, true)
    focusRow(nextId)
  }
  useShortcut(
    ['j', 'k'],
    (event) => moveToNeighbor(event.key === 'j' ? 1 : -1),
    true,
    shortcutLabels,
  )
  useShortcut('Enter', (event) => {
    const isControlFocused =
      event.target instanceof Element &&
      event.target.closest('a, button, summary, [role="button"]') !== null
    if (currentId !== null && ids.includes(currentId) && !isControlFocused) onOpen(currentId, false)
  })
  return currentId !== null && ids.includes(currentId) ? currentId : null
}

/** A column of a list. With `sort`, its header is a link that sorts by that field. */
export type ListColumn<Row> = Column<Row> & { sort?: string }

type ListTableProps<Row extends ListRow> = {
  spec: ListSpec
  view: ListViewState
  caption: string
  rows: readonly Row[]
  columns: readonly (ListColumn<Row> | null)[]
  /** Returns the URL of a row's own page. The default is the record page of the list's resource. */
  hrefOf?: (row: Row) => string
}

export function ListTable<Row extends ListRow>({
  spec,
  view,
  caption,
  rows: given,
  columns,
  hrefOf,
}: ListTableProps<Row>) {
  const context = usePageContext()
  const { open, show, walk } = useOpenRowState()
  const toRowHref = useRowHref(spec, hrefOf)
  const { rows, left } = useStableRows(given, toViewHref(spec, context, view, { page: view.page }))
  const openRow = (id: string, isReplacement: boolean) => {
    const row = rows.find((each) => each.id === id)
    if (row && isReplacement) walk(id)
    else if (row) show(id, toRowHref(row))
  }
  const ids = rows.map((row) => row.id)
  const currentRowId = useRowShortcuts(ids, openRow, open)
  const claimableResource =
    view.tab.queue && claimableResources.find((resource) => resource === spec.resource)
  const claims = useClaims(claimableResource)
  const awaitingRowIds = useAwaitingRowIds()
  const visibleColumns = listVisibleColumns(spec, view)
  const shownColumns = columns
    .filter((column) => column !== null)
    .filter((column) => !spec.columns[column.id] || visibleColumns.includes(column.id))
  // The cell of the state, which a card shows as a line. Without one, the title has the badge.
  const badgeColumn = (['line', 'title'] as const)
    .map((narrow) => shownColumns.find((column) => column.narrow === narrow))
    .find((column) => column !== undefined)
  const columnsToRender = shownColumns
    .map((column) => (column === badgeColumn ? addApprovalBadge(column, awaitingRowIds) : column))
    .map(({ sort, ...column }) =>
      sort ? addSortLink(column, sort, view, toSortHref(spec, context, view, sort)) : column,
    )
    .map((column) =>
      claimableResource && column.narrow === 'title' ? addClaimBadge(column, claims) : column,
    )
  return (
    <DataTable
      caption={caption}
      columns={columnsToRender}
      rows={rows}
      rowId={(row) => row.id}
      current={currentRowId}
      open={open}
      left={left}
    />
  )
}

/**
 * Adds the claim badge to the title column. The cell keeps its elements when a claim appears, so
 * that its link keeps the focus.
 */
const addClaimBadge = <Row extends ListRow>(
  column: Column<Row>,
  claims: readonly Claim[] = [],
): Column<Row> => ({
  ...column,
  cell: (row) => {
    const claim = claims.find(({ id }) => id === row.id)
    return (
      <span className="flex min-w-0 items-center gap-1.5">
        <span className="min-w-0">{column.cell(row)}</span>
        {claim && <ClaimBadge claim={claim} />}
      </span>
    )
  },
})

/** Adds the badge to rows with an action that awaits approval. */
const addApprovalBadge = <Row extends ListRow>(
  column: ListColumn<Row>,
  awaitingRowIds: readonly string[],
): ListColumn<Row> => ({
  ...column,
  cell: (row) =>
    awaitingRowIds.includes(row.id) ? (
      <span className="flex min-w-0 items-center gap-2">
        <AwaitingApprovalBadge />
        <span className="min-w-0 flex-1 truncate">{column.cell(row)}</span>
      </span>
    ) : (
      column.cell(row)
    ),
})

export function useRowHref<Row extends ListRow>(
  spec: ListSpec,
  hrefOf?: (row: Row) => string,
): (row: Row) => string {
  const context = usePageContext()
  if (hrefOf) return hrefOf
  const resource = recordResources.find((known) => known === spec.resource)
  if (!resource) return () => listPath(context, spec.resource)
  return (row) => recordPath(context, resource, row.id, { account: row.account })
}

function addSortLink<Row>(
  column: Column<Row>,
  sort: string,
  view: ListViewState,
  href: string,
): Column<Row> {
  const sortDirection = view.sort === sort ? view.order : null
  const arrow = sortDirection === null ? '' : sortDirection === 'asc' ? '↑' : '↓'
  return {
    ...column,
    sorted: sortDirection,
    header: (
      <ListLink
        href={href}
        // The word of a column of numbers ends where the numbers end.
        className={cn(
          'inline-flex items-center gap-1 hover:text-ink',
          column.align === 'end' && 'flex-row-reverse',
        )}
      >
        {column.header}
        <span aria-hidden="true" className="w-2 text-ink">
          {arrow}
        </span>
      </ListLink>
    ),
  }
}

type RowLinkProps = {
  id: string
  href: string
  children: ReactNode /** Distinguishes the link for screen readers. */
  hidden?: string
}

/** Covers its row, so that a click anywhere opens the row. New tabs work as with any link. */
export function RowLink({ id, href, hidden, children }: RowLinkProps) {
  const { show } = useOpenRowState()
  return (
    <a
      href={href}
      className={cn(rowLinkClasses, 'block truncate')}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        show(id, href)
      }}
    >
      {children}
      {/* Without `left-0`, the hidden text would follow a long name out of the window and widen the page. */}
      {hidden && <span className="sr-only left-0">, {hidden}</span>}
    </a>
  )
}
