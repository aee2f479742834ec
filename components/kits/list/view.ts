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

const defaultSort = (spec: ListSpec, tab: ListTab): string => tab.sort ?? spec.sorts[0]

/** Returns the default direction of a sort: for the tab's default sort that of the tab or list, otherwise `desc`. */
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
 * Returns the dates and filters of a named period at the instant `now` (milliseconds). Days are New York days, for timestamps too, so that
 * a shared view contains the same rows in every time zone.
 */
export function resolvePeriod({ from, to, kind }: PeriodSpec, name: PeriodName, now: number): ResolvedPeriod {
  const { first, last } = days[name](bankDay(now))
  if (kind === 'day') return { first, last, bounds: { [from]: first, [to]: last } }
  const start = newYorkTime(first, '00:00')
  const end = newYorkTime(dayAfter(last, 1), '00:00') - 1
  return { first, last, bounds: { [from]: new Date(start).toISOString(), [to]: new Date(end).toISOString() } }
}

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the value of a URL parameter. If it is repeated, returns the first value. */
function readParam(search: SearchParams, name: string): string | undefined {
  const value = Object.hasOwn(search, name) ? search[name] : undefined
  return typeof value === 'string' ? value : value?.[0]
}

const orders = ['asc', 'desc'] as const

/** Parses an integer from 1 to 1,000,000. Returns the fallback for any other text. */
function countOf(text: string | undefined, fallback: number): number {
  const value = Number.parseInt(text ?? '', 10)
  return value >= 1 && value <= 1_000_000 ? value : fallback
}

type Periods = Pick<ListView, 'periods' | 'resolved'> & { wrong: Record<string, string> }

/**
 * Returns the periods in a URL, with their dates at the instant `now`. An unknown name becomes a filter value that the server refuses:
 * ignoring it would show all rows.
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
  /** Current time in milliseconds. */
  now?: number
  /** The reader's stored columns. Used if the URL contains none. */
  columns?: string | undefined
}

/**
 * Returns the state of a list from its URL. Unknown values become the defaults, but filter values are kept as text, so that the server
 * names an invalid one.
 */
export function viewOf(spec: ListSpec, search: SearchParams, { now = Date.now(), columns }: ViewOptions = {}): ListView {
  const tab = spec.tabs.find((known) => known.id === readParam(search, 'tab')) ?? spec.tabs[0]
  const sort = spec.sorts.find((known) => known === readParam(search, 'sort')) ?? defaultSort(spec, tab)
  // A field that the tab sets cannot be filtered: the rows of a tab must match its label.
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

/** Parses the optional columns to show, in the list's own order. `none` means no optional column. Null if there is no text. */
function columnsOf(spec: ListSpec, text: string | null): readonly string[] | null {
  if (text === null) return null
  const requestedColumns = text.split(',')
  return Object.keys(spec.columns).filter((name) => requestedColumns.includes(name))
}

export const periodBounds = ({ resolved }: ListView): Record<string, string> =>
  Object.assign({}, ...Object.values(resolved).map(({ bounds }) => bounds))

/** Returns the request fields of a view. With `only`, the request counts another tab under the same filters. */
export function searchOf(spec: ListSpec, view: ListView, only?: ListTab): Record<string, string | number> {
  // The tab's fields are last, so that a filter of the same name cannot replace them.
  const requestFields = { ...view.filters, ...periodBounds(view), ...spec.fixed, ...(only ?? view.tab).query }
  if (only) return { ...requestFields, page_size: 1, page_number: 1 }
  return { ...requestFields, page_size: view.size, page_number: view.page, sort_by: view.sort, sort_order: view.order }
}

/** Formats columns for the URL or a preference. No columns are `none`. */
export const columnsText = (columns: readonly string[]): string => columns.join(',') || 'none'

/** Returns the value for a URL parameter. Null, which omits the parameter, if it is the default. */
const unless = <T>(defaultValue: T, value: T): T | null => (value === defaultValue ? null : value)

/** Returns the URL of a view with some fields changed. Unless `change` contains the page, it is page 1. */
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

/** Returns the URL of a view with one date filtered by a named period, which replaces typed dates. */
export function withPeriod(spec: ListSpec, place: Place, view: ListView, date: string, name: PeriodName): string {
  const { from = '', to = '' } = spec.periods?.[date] ?? {}
  return viewHref(spec, place, view, { filters: without(view.filters, [from, to]), periods: { ...view.periods, [date]: name } })
}

/** Returns the periods of a view, except for dates with a typed `from` or `to` filter. */
export const periodsBeside = (spec: ListSpec, view: ListView, filters: Readonly<Record<string, string>>): ListView['periods'] =>
  without(
    view.periods,
    Object.entries(spec.periods ?? {}).flatMap(([date, { from, to }]) => (filters[from] || filters[to] ? [date] : [])),
  )

/** Returns the URL that sorts by a column: ascending if the list is already sorted by it in descending order, otherwise descending. */
export function sortHref(spec: ListSpec, place: Place, view: ListView, sort: string): string {
  const order = view.sort === sort && view.order === 'desc' ? 'asc' : 'desc'
  return viewHref(spec, place, view, { sort, order })
}

/** Returns the number of pages. Null if the total is unknown or larger than the server counts. */
export const pagesOf = (total: number | null, size: number): number | null =>
  total === null || total > mostCounted ? null : Math.max(1, Math.ceil(total / size))
