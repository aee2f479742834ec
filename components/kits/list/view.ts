import { dayText } from '@/lib/dates'
import type { ExportedList } from '@/lib/operations/desk/exports'
import { mostCounted } from '@/lib/operations/list-count'
import { listPath } from '@/lib/routes'
import type { ListRead, ListRow, ListSpec, ListTab, ListView, PeriodName } from './spec'

type Place = { environment: string; account: string | null }

/** What a tab is sorted by until somebody chooses. */
export const defaultSort = (spec: ListSpec, tab: ListTab): string => tab.sort ?? spec.sorts[0]

/** The direction a sort begins with: the tab's or the list's own for the default sort, newest or largest first for any other. */
export function defaultOrder(spec: ListSpec, tab: ListTab, sort: string): 'asc' | 'desc' {
  return sort === defaultSort(spec, tab) ? (tab.order ?? spec.order) : 'desc'
}

export const periodBounds = ({ resolved }: ListView): Record<string, string> =>
  Object.assign({}, ...Object.values(resolved).map(({ bounds }) => bounds))

/** The fields to read a view with, as text; `only` counts another tab under the same filters and replaces paging. */
export function searchOf(spec: ListSpec, view: ListView, only?: ListTab): Record<string, string | number> {
  // A tab says what its rows are, so no filter of the same name undoes it.
  const asked = { ...view.filters, ...periodBounds(view), ...spec.fixed, ...(only ?? view.tab).query }
  if (only) return { ...asked, page_size: 1, page_number: 1 }
  return { ...asked, page_size: view.size, page_number: view.page, sort_by: view.sort, sort_order: view.order }
}

/** Columns as a URL and a preference say them; none of them is a word of its own. */
export const columnsText = (columns: readonly string[]): string => columns.join(',') || 'none'

/** The URL of a view with a part of it changed. A change of anything but the page goes back to the first page. */
export function viewHref(spec: ListSpec, { environment, account }: Place, view: ListView, change: Partial<ListView> = {}): string {
  const next: ListView = { ...view, page: 1, ...change }
  if (change.tab && !change.sort) {
    next.sort = defaultSort(spec, change.tab)
    next.order = defaultOrder(spec, change.tab, next.sort)
  }
  return listPath(environment, spec.resource, {
    account,
    tab: next.tab.id === spec.tabs[0].id ? null : next.tab.id,
    ...next.filters,
    ...next.periods,
    sort: next.sort === defaultSort(spec, next.tab) ? null : next.sort,
    order: next.order === defaultOrder(spec, next.tab, next.sort) ? null : next.order,
    page: next.page === 1 ? null : next.page,
    size: next.size === 50 ? null : next.size,
    cols: next.columns && columnsText(next.columns),
  })
}

/** The URL of a list with its first row open. */
export const openFirst = (href: string): string => `${href}${href.includes('?') ? '&' : '?'}open=first`

const without = <T>(all: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))

/** The URL of a view without some of its filters or periods. */
export const withoutFilters = (spec: ListSpec, place: Place, view: ListView, names: readonly string[]): string =>
  viewHref(spec, place, view, { filters: without(view.filters, names), periods: without(view.periods, names) })

/** The URL of a view with one of its dates narrowed to a period, in place of any days that were typed for it. */
export function withPeriod(spec: ListSpec, place: Place, view: ListView, date: string, name: PeriodName): string {
  const { from = '', to = '' } = spec.periods?.[date] ?? {}
  return viewHref(spec, place, view, { filters: without(view.filters, [from, to]), periods: { ...view.periods, [date]: name } })
}

/** The periods of a view that are left where days were typed for the dates of the others. */
export const periodsBeside = (spec: ListSpec, view: ListView, filters: Readonly<Record<string, string>>): ListView['periods'] =>
  without(
    view.periods,
    Object.entries(spec.periods ?? {}).flatMap(([date, { from, to }]) => (filters[from] || filters[to] ? [date] : [])),
  )

/** The next order of a column: the other way when it is the one sorted by, newest or largest first otherwise. */
export function sortHref(spec: ListSpec, place: Place, view: ListView, sort: string): string {
  const order = view.sort === sort && view.order === 'desc' ? 'asc' : 'desc'
  return viewHref(spec, place, view, { sort, order })
}

/** How many pages rows fill; null where nobody counted them, or not to the end. */
export const pagesOf = (total: number | null, size: number): number | null =>
  total === null || total > mostCounted ? null : Math.max(1, Math.ceil(total / size))

/**
 * What is to be had as a file: the filters of a list without paging, how its rows are called, and how many match; null where nobody counts them, and
 * `atLeast` are then those that were seen.
 */
export type Exported = {
  list: ExportedList
  one: string
  many: string
  search: Readonly<Record<string, string>>
  total: number | null
  atLeast: number
  /** From when on everything is kept (ISO), where older rows are not. */
  keptSince?: string | undefined
}

/** What a list or a file does not have, in a sentence: `at` (ISO) is from when on everything is kept. */
export const keptSinceText = (at: string): string =>
  `Payments in a final state from before ${dayText(at.slice(0, 10))} (UTC) are kept at the provider only.`

/** A list without filters that nobody counts before it is written, or `total` of which there are. */
export const wholeList = (list: ExportedList, one: string, many: string, total: number | null): Exported => ({
  ...{ list, one, many, total },
  search: {},
  atLeast: 0,
})

/** What an export of a view asks: its tab and filters, all pages. What the list fixes, the server knows. */
export const exportSearch = (view: ListView): Record<string, string> => ({
  ...view.filters,
  ...periodBounds(view),
  ...view.tab.query,
})

export function exportedOf({ resource, one, many }: ListSpec, view: ListView, read: ListRead<ListRow>): Exported {
  const seen = read.ok ? (view.page - 1) * view.size + read.rows.length + read.unreadable.length : 0
  const total = read.ok && read.total !== null && read.total <= mostCounted ? read.total : null
  return {
    list: resource,
    one,
    many,
    search: exportSearch(view),
    total,
    atLeast: read.ok && read.total ? Math.min(read.total, mostCounted) : seen,
    ...(read.ok && read.keptSince ? { keptSince: read.keptSince } : {}),
  }
}
