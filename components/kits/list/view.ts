import { dayText } from '@/lib/dates'
import type { ExportedList } from '@/lib/operations/desk/exports'
import { mostCounted } from '@/lib/operations/list-count'
import { listPath } from '@/lib/routes'
import type { ListRead, ListRow, ListSpec, ListTab, ListView, PeriodName } from './spec'

type Place = { environment: string; account: string | null }

/** Returns the sort of a tab before the person chooses one. */
export const defaultSort = (spec: ListSpec, tab: ListTab): string => tab.sort ?? spec.sorts[0]

/** Returns the initial direction of a sort: the tab's or list's own for the default sort, newest or largest first for any other. */
export function defaultOrder(spec: ListSpec, tab: ListTab, sort: string): 'asc' | 'desc' {
  return sort === defaultSort(spec, tab) ? (tab.order ?? spec.order) : 'desc'
}

export const periodBounds = ({ resolved }: ListView): Record<string, string> =>
  Object.assign({}, ...Object.values(resolved).map(({ bounds }) => bounds))

/** Returns the request fields of a view, as text. `only` counts another tab under the same filters and replaces paging. */
export function searchOf(spec: ListSpec, view: ListView, only?: ListTab): Record<string, string | number> {
  // The tab's fields come last, so a filter of the same name cannot override them.
  const requestFields = { ...view.filters, ...periodBounds(view), ...spec.fixed, ...(only ?? view.tab).query }
  if (only) return { ...requestFields, page_size: 1, page_number: 1 }
  return { ...requestFields, page_size: view.size, page_number: view.page, sort_by: view.sort, sort_order: view.order }
}

/** Formats columns for a URL or a preference; an empty choice is `none`. */
export const columnsText = (columns: readonly string[]): string => columns.join(',') || 'none'

/** Returns the URL of a view with a part of it changed. Any change except of the page resets the page to 1. */
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

export const openFirst = (href: string): string => `${href}${href.includes('?') ? '&' : '?'}open=first`

const without = <T>(all: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))

export const withoutFilters = (spec: ListSpec, place: Place, view: ListView, names: readonly string[]): string =>
  viewHref(spec, place, view, { filters: without(view.filters, names), periods: without(view.periods, names) })

/** Returns the URL of a view with one date filtered by a period. It replaces typed days of that date. */
export function withPeriod(spec: ListSpec, place: Place, view: ListView, date: string, name: PeriodName): string {
  const { from = '', to = '' } = spec.periods?.[date] ?? {}
  return viewHref(spec, place, view, { filters: without(view.filters, [from, to]), periods: { ...view.periods, [date]: name } })
}

/** Returns the periods of a view, except those of dates with typed days. */
export const periodsBeside = (spec: ListSpec, view: ListView, filters: Readonly<Record<string, string>>): ListView['periods'] =>
  without(
    view.periods,
    Object.entries(spec.periods ?? {}).flatMap(([date, { from, to }]) => (filters[from] || filters[to] ? [date] : [])),
  )

/** Returns the URL of a column's next sort: ascending if it is already sorted descending, newest or largest first otherwise. */
export function sortHref(spec: ListSpec, place: Place, view: ListView, sort: string): string {
  const order = view.sort === sort && view.order === 'desc' ? 'asc' : 'desc'
  return viewHref(spec, place, view, { sort, order })
}

/** Returns the number of pages; null if the total is unknown or the count stopped at its limit. */
export const pagesOf = (total: number | null, size: number): number | null =>
  total === null || total > mostCounted ? null : Math.max(1, Math.ceil(total / size))

/**
 * An export: the list's filters without paging, its nouns and the number of rows. `total` is null if unknown; `atLeast` is then the
 * minimum.
 */
export type Exported = {
  list: ExportedList
  one: string
  many: string
  search: Readonly<Record<string, string>>
  total: number | null
  atLeast: number
  /** Date (ISO) since when all rows are kept, if older ones are not. */
  keptSince?: string | undefined
}

/** Returns the notice about rows that are not kept. `at` (ISO) is the date since when all are. */
export const keptSinceText = (at: string): string =>
  `Payments in a final state from before ${dayText(at.slice(0, 10))} (UTC) are kept at the provider only.`

/** Returns the export of a list without filters. `total` is null if it was not counted. */
export const wholeList = (list: ExportedList, one: string, many: string, total: number | null): Exported => ({
  ...{ list, one, many, total },
  search: {},
  atLeast: 0,
})

/** Returns the search of a view's export: tab and filters, all pages. The server adds the list's fixed fields. */
export const exportSearch = (view: ListView): Record<string, string> => ({
  ...view.filters,
  ...periodBounds(view),
  ...view.tab.query,
})

export function exportedOf({ resource, one, many }: ListSpec, view: ListView, read: ListRead<ListRow>): Exported {
  const rowsSoFar = read.ok ? (view.page - 1) * view.size + read.rows.length + read.unreadable.length : 0
  const total = read.ok && read.total !== null && read.total <= mostCounted ? read.total : null
  return {
    list: resource,
    one,
    many,
    search: exportSearch(view),
    total,
    atLeast: read.ok && read.total ? Math.min(read.total, mostCounted) : rowsSoFar,
    ...(read.ok && read.keptSince ? { keptSince: read.keptSince } : {}),
  }
}
