import { maxCountedRows } from '@/lib/operations/list-count'
import { listPath } from '@/lib/routes'
import {
  firstRowParam,
  type ListSpec,
  type ListTab,
  type ListViewState,
  type PeriodName,
} from './spec'

type ViewScope = { environment: string; account: string | null }

export const getDefaultSort = (spec: ListSpec, tab: ListTab): string => tab.sort ?? spec.sorts[0]

/**
 * Returns the initial direction of a sort: the tab's or list's own for the default sort, newest or
 * largest first for any other.
 */
export function getDefaultOrder(spec: ListSpec, tab: ListTab, sort: string): 'asc' | 'desc' {
  return sort === getDefaultSort(spec, tab) ? (tab.order ?? spec.order) : 'desc'
}

export const defaultPageSize = 50

export const listPeriodBounds = ({ resolved }: ListViewState): Record<string, string> =>
  Object.assign({}, ...Object.values(resolved).map(({ bounds }) => bounds))

/** With `countedTab`, the request counts another tab under the same filters. */
export function toRequestFields(
  spec: ListSpec,
  view: ListViewState,
  countedTab?: ListTab,
): Record<string, string | number> {
  // The tab's fields are last, so that a filter of the same name cannot replace them.
  const requestFields = {
    ...view.filters,
    ...listPeriodBounds(view),
    ...spec.fixed,
    ...(countedTab ?? view.tab).query,
  }
  if (countedTab) return { ...requestFields, page_size: 1, page_number: 1 }
  return {
    ...requestFields,
    page_size: view.size,
    page_number: view.page,
    sort_by: view.sort,
    sort_order: view.order,
  }
}

/** Joins column names for the URL or the preferences. `none` means no columns. */
export const formatColumns = (columns: readonly string[]): string => columns.join(',') || 'none'

/** Returns null for the default, because `listPath` omits a parameter that is null. */
const toNullIfDefault = <T>(defaultValue: T, value: T): T | null =>
  value === defaultValue ? null : value

/**
 * Returns the URL of a view with the fields in `change` replaced. The page is 1, unless `change`
 * contains a page.
 */
export function toViewHref(
  spec: ListSpec,
  { environment, account }: ViewScope,
  view: ListViewState,
  change: Partial<ListViewState> = {},
): string {
  const changedView: ListViewState = { ...view, page: 1, ...change }
  if (change.tab && !change.sort) {
    changedView.sort = getDefaultSort(spec, change.tab)
    changedView.order = getDefaultOrder(spec, change.tab, changedView.sort)
  }
  return listPath(environment, spec.resource, {
    account,
    tab: toNullIfDefault(spec.tabs[0].id, changedView.tab.id),
    ...changedView.filters,
    ...changedView.periods,
    sort: toNullIfDefault(getDefaultSort(spec, changedView.tab), changedView.sort),
    order: toNullIfDefault(
      getDefaultOrder(spec, changedView.tab, changedView.sort),
      changedView.order,
    ),
    page: toNullIfDefault(1, changedView.page),
    size: toNullIfDefault(defaultPageSize, changedView.size),
    cols: changedView.columns && formatColumns(changedView.columns),
  })
}

export const toFirstRowHref = (href: string): string =>
  `${href}${href.includes('?') ? '&' : '?'}open=${firstRowParam}`

const omitKeys = <T>(
  all: Readonly<Record<string, T>>,
  names: readonly string[],
): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))

export const toHrefWithoutFilters = (
  spec: ListSpec,
  scope: ViewScope,
  view: ListViewState,
  names: readonly string[],
): string =>
  toViewHref(spec, scope, view, {
    filters: omitKeys(view.filters, names),
    periods: omitKeys(view.periods, names),
  })

/** Returns the URL of the list with a named period, which replaces typed dates. */
export function toPeriodHref(
  spec: ListSpec,
  scope: ViewScope,
  view: ListViewState,
  date: string,
  name: PeriodName,
): string {
  const { from = '', to = '' } = spec.periods?.[date] ?? {}
  return toViewHref(spec, scope, view, {
    filters: omitKeys(view.filters, [from, to]),
    periods: { ...view.periods, [date]: name },
  })
}

/** Removes the periods that typed dates replace: those whose `from` or `to` is in `filters`. */
export const removeReplacedPeriods = (
  spec: ListSpec,
  view: ListViewState,
  filters: Readonly<Record<string, string>>,
): ListViewState['periods'] =>
  omitKeys(
    view.periods,
    Object.entries(spec.periods ?? {}).flatMap(([date, { from, to }]) =>
      filters[from] || filters[to] ? [date] : [],
    ),
  )

export function toSortHref(
  spec: ListSpec,
  scope: ViewScope,
  view: ListViewState,
  sort: string,
): string {
  const nextOrder = view.sort === sort && view.order === 'desc' ? 'asc' : 'desc'
  return toViewHref(spec, scope, view, { sort, order: nextOrder })
}

/** Null if the total is unknown, or over `maxCountedRows`, at which the server stops counting. */
export const countPages = (total: number | null, size: number): number | null =>
  total === null || total > maxCountedRows ? null : Math.max(1, Math.ceil(total / size))
