import { bankDay, monthStart } from '@/lib/dates'
import { dayAfter, newYorkTime } from '@/lib/domain/bank-time'
import { mostCounted } from '@/lib/operations/list-count'
import { listPath } from '@/lib/routes'
import {
  filterLabels,
  firstRow,
  type ListSpec,
  type ListTab,
  type ListView,
  type PeriodName,
  type PeriodSpec,
  periodNames,
  type ResolvedPeriod,
} from './spec'

type Place = { environment: string; account: string | null }

/** Returns the sort of a tab before the person chooses one. */
const defaultSort = (spec: ListSpec, tab: ListTab): string => tab.sort ?? spec.sorts[0]

/** Returns the initial direction of a sort: the tab's or list's own for the default sort, newest or largest first for any other. */
function defaultOrder(spec: ListSpec, tab: ListTab, sort: string): 'asc' | 'desc' {
  return sort === defaultSort(spec, tab) ? (tab.order ?? spec.order) : 'desc'
}

const defaultSize = 50

const lastOfMonth = (date: string) => dayAfter(monthStart(dayAfter(monthStart(date), 31)), -1)

const days: Record<PeriodName, (today: string) => { first: string; last: string }> = {
  today: (today) => ({ first: today, last: today }),
  '7-days': (today) => ({ first: dayAfter(today, -6), last: today }),
  'this-month': (today) => ({ first: monthStart(today), last: lastOfMonth(today) }),
}

/**
 * Resolves a named period at an instant (milliseconds). Days are New York days, as for payment dates, and for timestamps too. A shared view
 * thus contains the same rows in every time zone.
 */
export function resolvePeriod({ from, to, kind }: PeriodSpec, name: PeriodName, now: number): ResolvedPeriod {
  const { first, last } = days[name](bankDay(now))
  if (kind === 'day') return { first, last, bounds: { [from]: first, [to]: last } }
  const start = newYorkTime(first, '00:00')
  const end = newYorkTime(dayAfter(last, 1), '00:00') - 1
  return { first, last, bounds: { [from]: new Date(start).toISOString(), [to]: new Date(end).toISOString() } }
}

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the value of a URL parameter; the first one if it repeats. */
function readParam(search: SearchParams, name: string): string | undefined {
  const value = Object.hasOwn(search, name) ? search[name] : undefined
  return typeof value === 'string' ? value : value?.[0]
}

const orders = ['asc', 'desc'] as const

/** Parses a whole number from 1 on; returns the fallback for anything else. */
function countOf(text: string | undefined, fallback: number): number {
  const value = Number.parseInt(text ?? '', 10)
  return value >= 1 && value <= 1_000_000 ? value : fallback
}

type Periods = Pick<ListView, 'periods' | 'resolved'> & { wrong: Record<string, string> }

/**
 * Reads the periods of a URL and resolves them at an instant. An unknown name is passed on for the server to refuse; ignoring it would show
 * all rows.
 */
function periodsIn(spec: ListSpec, search: SearchParams, now: number): Periods {
  const read: Periods = { periods: {}, resolved: {}, wrong: {} }
  for (const [date, period] of Object.entries(spec.periods ?? {})) {
    const word = readParam(search, date)
    const name: PeriodName | undefined = periodNames.find((known) => known === word)
    if (name) {
      read.periods = { ...read.periods, [date]: name }
      read.resolved = { ...read.resolved, [date]: resolvePeriod(period, name, now) }
    } else if (word) read.wrong[period.from] = word
  }
  return read
}

type ViewOptions = {
  /** Milliseconds. */
  now?: number
  /** The reader's stored columns, used if the URL contains none. */
  columns?: string | undefined
}

/**
 * Parses a list's state from a URL. Unknown words fall back to the defaults. Filter values stay text, so that the server names an invalid
 * one.
 */
export function viewOf(spec: ListSpec, search: SearchParams, { now = Date.now(), columns }: ViewOptions = {}): ListView {
  const tab = spec.tabs.find((known) => known.id === readParam(search, 'tab')) ?? spec.tabs[0]
  const sort = spec.sorts.find((known) => known === readParam(search, 'sort')) ?? defaultSort(spec, tab)
  // A tab's fixed fields cannot be filtered: a tab must not show other rows than its label states.
  const { periods, resolved, wrong } = periodsIn(spec, search, now)
  const periodFields = Object.values(resolved).flatMap(({ bounds }) => Object.keys(bounds))
  const names = Object.keys(filterLabels(spec)).filter((name) => !(name in tab.query) && !periodFields.includes(name))
  const filters = names.flatMap((name) => {
    const value = readParam(search, name)?.trim()
    return value ? [[name, value] as const] : []
  })
  return {
    tab,
    filters: { ...Object.fromEntries(filters), ...wrong },
    periods,
    resolved,
    sort,
    order: orders.find((known) => known === readParam(search, 'order')) ?? defaultOrder(spec, tab, sort),
    page: countOf(readParam(search, 'page'), 1),
    size: countOf(readParam(search, 'size'), defaultSize),
    columns: columnsOf(spec, readParam(search, 'cols') ?? columns ?? null),
  }
}

/** Returns the known columns in the list's own order; `none` shows only the columns that are always shown. */
function columnsOf(spec: ListSpec, text: string | null): readonly string[] | null {
  if (text === null) return null
  const requestedColumns = text.split(',')
  return Object.keys(spec.columns).filter((name) => requestedColumns.includes(name))
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

/** Returns a value for a URL; null if it is the default. */
const unless = <T>(defaultValue: T, value: T): T | null => (value === defaultValue ? null : value)

/** Returns the URL of a view with a part of it changed. Any change except of the page resets the page to 1. */
export function viewHref(spec: ListSpec, { environment, account }: Place, view: ListView, change: Partial<ListView> = {}): string {
  const next: ListView = { ...view, page: 1, ...change }
  if (change.tab && !change.sort) {
    next.sort = defaultSort(spec, change.tab)
    next.order = defaultOrder(spec, change.tab, next.sort)
  }
  return listPath(environment, spec.resource, {
    account,
    tab: unless(spec.tabs[0].id, next.tab.id),
    ...next.filters,
    ...next.periods,
    sort: unless(defaultSort(spec, next.tab), next.sort),
    order: unless(defaultOrder(spec, next.tab, next.sort), next.order),
    page: unless(1, next.page),
    size: unless(defaultSize, next.size),
    cols: next.columns && columnsText(next.columns),
  })
}

/** Returns a list's URL with its first row open. */
export const openFirst = (href: string): string => `${href}${href.includes('?') ? '&' : '?'}open=${firstRow}`

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
