import { listPath } from '@/lib/routes'
import type { ListSpec, ListTab, ListView } from './list-spec'

type Place = { environment: string; account: string | null }

/** What a tab is sorted by until somebody chooses. */
export const defaultSort = (spec: ListSpec, tab: ListTab): string => tab.sort ?? spec.sorts[0]

/** The direction a sort begins with: the tab's or the list's own for the default sort, newest or largest first for any other. */
export function defaultOrder(spec: ListSpec, tab: ListTab, sort: string): 'asc' | 'desc' {
  return sort === defaultSort(spec, tab) ? (tab.order ?? spec.order) : 'desc'
}

/** The fields to read a view with, as text; `only` counts another tab under the same filters and replaces paging. */
export function searchOf(spec: ListSpec, view: ListView, only?: ListTab): Record<string, string | number> {
  // A tab says what its rows are, so no filter of the same name undoes it.
  const asked = { ...view.filters, ...spec.fixed, ...(only ?? view.tab).query }
  if (only) return { ...asked, page_size: 1, page_number: 1 }
  return { ...asked, page_size: view.size, page_number: view.page, sort_by: view.sort, sort_order: view.order }
}

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
    sort: next.sort === defaultSort(spec, next.tab) ? null : next.sort,
    order: next.order === defaultOrder(spec, next.tab, next.sort) ? null : next.order,
    page: next.page === 1 ? null : next.page,
    size: next.size === 50 ? null : next.size,
    cols: next.columns ? next.columns.join(',') || 'none' : null,
  })
}

/** The URL of a view without some of its filters. */
export function withoutFilters(spec: ListSpec, place: Place, view: ListView, names: readonly string[]): string {
  const kept = Object.entries(view.filters).filter(([name]) => !names.includes(name))
  return viewHref(spec, place, view, { filters: Object.fromEntries(kept) })
}

/** The next order of a column: the other way when it is the one sorted by, newest or largest first otherwise. */
export function sortHref(spec: ListSpec, place: Place, view: ListView, sort: string): string {
  const order = view.sort === sort && view.order === 'desc' ? 'asc' : 'desc'
  return viewHref(spec, place, view, { sort, order })
}

/** How many pages a total makes. */
export const pagesOf = (total: number, size: number) => Math.max(1, Math.ceil(total / size))
