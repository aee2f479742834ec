import { formatDay } from '@/lib/dates'
import type { ExportedList } from '@/lib/operations/desk/exports'
import { maxCountedRows } from '@/lib/operations/list-count'
import type { ListRow, ListRowsResult, ListSpec, ListViewState } from './spec'
import { listPeriodBounds } from './view'

/** `search`: filters as search parameters. If `total` is null, at least `atLeast` rows match. */
export type ListExport = {
  list: ExportedList
  one: string
  many: string
  search: Readonly<Record<string, string>>
  total: number | null
  atLeast: number
  /** The order and the hidden columns of the list, as search parameters. */
  layout?: Readonly<Record<string, string>>
  /**
   * Paydesk has all rows from this date (ISO) on, and of older rows only those not in a final
   * state. Undefined if it has all rows.
   */
  keptSince?: string | undefined
}

/** Returns the notice that Paydesk lacks rows in a final state from before `at` (ISO). */
export const formatRetentionNotice = (at: string): string =>
  `Payments in a final state from before ${formatDay(at.slice(0, 10))} (UTC) are kept at the provider only.`

/** Returns the export of a list without filters. `total` is null if the rows were not counted. */
export const buildUnfilteredExport = (
  list: ExportedList,
  one: string,
  many: string,
  total: number | null,
): ListExport => ({
  ...{ list, one, many, total },
  search: {},
  atLeast: 0,
})

/**
 * Returns the URL parameters of an export: tab, filters and periods, but no paging. The server adds
 * the list's fixed fields.
 */
export const toExportParams = (view: ListViewState): Record<string, string> => ({
  ...view.filters,
  ...listPeriodBounds(view),
  ...view.tab.query,
})

/** Without the columns that a person has hidden. The file contains more than the list by default. */
function toExportLayout(spec: ListSpec, { sort, order, columns }: ListViewState) {
  const hidden = columns && Object.keys(spec.columns).filter((name) => !columns.includes(name))
  return {
    ...(spec.operation ? { sort_by: sort, sort_order: order } : {}),
    ...(hidden && hidden.length > 0 ? { hidden: hidden.join(',') } : {}),
  }
}

export function toListExport(
  spec: ListSpec,
  view: ListViewState,
  read: ListRowsResult<ListRow>,
): ListExport {
  const { resource, one, many } = spec
  const rowCountSoFar = read.ok
    ? (view.page - 1) * view.size + read.rows.length + read.unreadable.length
    : 0
  const knownTotal =
    read.ok && read.total !== null && read.total <= maxCountedRows ? read.total : null
  return {
    list: resource,
    one,
    many,
    search: toExportParams(view),
    layout: toExportLayout(spec, view),
    total: knownTotal,
    atLeast: read.ok && read.total ? Math.min(read.total, maxCountedRows) : rowCountSoFar,
    ...(read.ok && read.keptSince ? { keptSince: read.keptSince } : {}),
  }
}
