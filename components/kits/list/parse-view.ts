import { getMonthStart, toNewYorkDate } from '@/lib/dates'
import { addDays, parseNewYorkTime } from '@/lib/domain/bank-time'
import {
  type FilterSpec,
  type ListSpec,
  type ListViewState,
  listFilterLabels,
  type PeriodName,
  type PeriodSpec,
  periodNames,
  type ResolvedPeriod,
} from './spec'
import { defaultPageSize, getDefaultOrder, getDefaultSort } from './view'

const toLastDayOfMonth = (date: string) =>
  addDays(getMonthStart(addDays(getMonthStart(date), 31)), -1)

const dayRangeByPeriod: Record<PeriodName, (today: string) => { first: string; last: string }> = {
  today: (today) => ({ first: today, last: today }),
  '7-days': (today) => ({ first: addDays(today, -6), last: today }),
  'this-month': (today) => ({ first: getMonthStart(today), last: toLastDayOfMonth(today) }),
}

/**
 * Returns the days of a named period at `now` (milliseconds), and the filters that select them.
 * Days are New York days, also for timestamps, so that a shared view contains the same rows in
 * every time zone.
 */
export function resolvePeriod(
  { from, to, kind }: PeriodSpec,
  name: PeriodName,
  now: number,
): ResolvedPeriod {
  const { first, last } = dayRangeByPeriod[name](toNewYorkDate(now))
  if (kind === 'day') return { first, last, bounds: { [from]: first, [to]: last } }
  const start = parseNewYorkTime(first, '00:00')
  const end = parseNewYorkTime(addDays(last, 1), '00:00') - 1
  return {
    first,
    last,
    bounds: { [from]: new Date(start).toISOString(), [to]: new Date(end).toISOString() },
  }
}

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Joins repeated values by commas, as filters with several values do. */
function readParam(search: SearchParams, name: string): string | undefined {
  const value = Object.hasOwn(search, name) ? search[name] : undefined
  return typeof value === 'string' ? value : value?.filter((each) => each !== '').join(',')
}

const sortOrders = ['asc', 'desc'] as const

/** Accepts whole numbers from 1 to 999,999. Otherwise returns `fallback`. */
function parsePositiveInteger(text: string | undefined, fallback: number): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : fallback
}

type ParsedPeriods = Pick<ListViewState, 'periods' | 'resolved'>

/** Reads the periods in a URL and resolves them at `now`. */
function parsePeriods(spec: ListSpec, search: SearchParams, now: number): ParsedPeriods {
  const parsedPeriods: ParsedPeriods = { periods: {}, resolved: {} }
  for (const [date, period] of Object.entries(spec.periods ?? {})) {
    const periodParam = readParam(search, date)
    const knownPeriodName: PeriodName | undefined = periodNames.find(
      (known) => known === periodParam,
    )
    if (knownPeriodName) {
      parsedPeriods.periods = { ...parsedPeriods.periods, [date]: knownPeriodName }
      parsedPeriods.resolved = {
        ...parsedPeriods.resolved,
        [date]: resolvePeriod(period, knownPeriodName, now),
      }
    }
  }
  return parsedPeriods
}

type ParseViewOptions = {
  /** The current time in milliseconds since the epoch. */
  now?: number
  /** The columns in the person's preferences, in URL format. Used if the URL contains none. */
  columns?: string | undefined
  /** True if the list's operation accepts the value of a filter. */
  isValid?: (name: string, value: string) => boolean
  /** Other parameters of the page. */
  known?: readonly string[]
}

/** Parameters that the list or the page around it reads. */
const otherParams = ['cols', 'open', 'account', 'of']

const maxShownLength = 40

/** Without the value if it is an id, because a secret can be pasted in its place. */
function formatParam(filter: FilterSpec | undefined, name: string, value: string): string {
  const isId = filter?.kind === 'id' || filter?.kind === 'link'
  return isId ? name : `${name}=${value.slice(0, maxShownLength)}`
}

type ReadParams = {
  view: Omit<ListViewState, 'ignored'>
  filters: Readonly<Record<string, string>>
}

/** Null if the view follows the filter. */
function whyFilterIgnored(
  spec: ListSpec,
  name: string,
  { view, filters }: ReadParams,
): string | null {
  const value = filters[name]
  if (value === undefined || view.filters[name] === value) return null
  const param = formatParam(spec.filters[name], name, value)
  return name in view.tab.query
    ? `${param} does not apply to the tab “${view.tab.label}”.`
    : `${param} is not a valid filter; showing all.`
}

/** Null if the view follows the parameter. */
function whyParamIgnored(
  spec: ListSpec,
  [name, value]: [string, string],
  read: ReadParams,
  known: readonly string[],
): string | null {
  const { tab, periods, sort, order, page, size } = read.view
  if (Object.hasOwn(listFilterLabels(spec), name)) return whyFilterIgnored(spec, name, read)
  const viewParameters = { tab: tab.id, sort, order, page, size }
  if (Object.hasOwn(viewParameters, name))
    return String(viewParameters[name as keyof typeof viewParameters]) === value
      ? null
      : `${name}=${value} is not valid; showing the default.`
  if (Object.hasOwn(spec.periods ?? {}, name))
    return periods[name] ? null : `${name}=${value} is not a valid filter; showing all.`
  return [...otherParams, ...known].includes(name)
    ? null
    : `${name.slice(0, maxShownLength)} is not a filter of this list; showing all.`
}

/** Before, the last second of a day stood for its end. */
const toWholeSecond = (filter: FilterSpec | undefined, value: string): string =>
  filter?.kind === 'until' ? value.replace(/(T\d\d:\d\d:59)Z$/, '$1.999Z') : value

/**
 * Parses the state of a list from its URL. An unknown tab, sort or order becomes the default, and
 * an invalid filter is left out. `ignored` names them.
 */
export function parseView(
  spec: ListSpec,
  search: SearchParams,
  { now = Date.now(), columns, isValid = () => true, known = [] }: ParseViewOptions = {},
): ListViewState {
  const tab = spec.tabs.find((known) => known.id === readParam(search, 'tab')) ?? spec.tabs[0]
  const sortField =
    spec.sorts.find((known) => known === readParam(search, 'sort')) ?? getDefaultSort(spec, tab)
  const { periods, resolved } = parsePeriods(spec, search, now)
  const periodFields = Object.values(resolved).flatMap(({ bounds }) => Object.keys(bounds))
  const filters = Object.fromEntries(
    Object.keys(listFilterLabels(spec)).flatMap((name) => {
      const value = readParam(search, name)?.trim()
      return value ? [[name, toWholeSecond(spec.filters[name], value)] as const] : []
    }),
  )
  // Ignores filters on the fields that the tab fixes: a tab must not show other rows than its label
  // states.
  const validEntries = Object.entries(filters).filter(
    ([name, value]) => !(name in tab.query) && !periodFields.includes(name) && isValid(name, value),
  )
  const view = {
    tab,
    filters: Object.fromEntries(validEntries),
    periods,
    resolved,
    sort: sortField,
    order:
      sortOrders.find((known) => known === readParam(search, 'order')) ??
      getDefaultOrder(spec, tab, sortField),
    page: parsePositiveInteger(readParam(search, 'page'), 1),
    size: parsePageSize(readParam(search, 'size')),
    columns: parseColumns(spec, readParam(search, 'cols') ?? columns ?? null),
  }
  const ignored = Object.keys(search).flatMap((name) => {
    const value = readParam(search, name)?.trim().slice(0, maxShownLength)
    return value ? (whyParamIgnored(spec, [name, value], { view, filters }, known) ?? []) : []
  })
  return { ...view, ignored }
}

/** The service returns at most this number of rows. */
const maxPageSize = 1000

function parsePageSize(text: string | undefined): number {
  const size = parsePositiveInteger(text, defaultPageSize)
  return size <= maxPageSize ? size : defaultPageSize
}

/** Returns the columns in the list's own order. `none` means no optional columns. */
function parseColumns(spec: ListSpec, text: string | null): readonly string[] | null {
  if (text === null) return null
  const requestedColumns = text.split(',')
  return Object.keys(spec.columns).filter((name) => requestedColumns.includes(name))
}
