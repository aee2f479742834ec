import { getMonthStart, toNewYorkDate } from '@/lib/dates'
import { addDays, parseNewYorkTime } from '@/lib/domain/bank-time'
import {
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

function readParam(search: SearchParams, name: string): string | undefined {
  const value = Object.hasOwn(search, name) ? search[name] : undefined
  return typeof value === 'string' ? value : value?.[0]
}

const sortOrders = ['asc', 'desc'] as const

/** Accepts whole numbers from 1 to 999,999. Otherwise returns `fallback`. */
function parsePositiveInteger(text: string | undefined, fallback: number): number {
  return /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : fallback
}

type ParsedPeriods = Pick<ListViewState, 'periods' | 'resolved'> & { wrong: Record<string, string> }

/**
 * Reads the periods in a URL and resolves them at `now`. An unknown period name is returned in
 * `wrong` as the value of a filter, which the server then refuses. Ignoring it would show all rows.
 */
function parsePeriods(spec: ListSpec, search: SearchParams, now: number): ParsedPeriods {
  const parsedPeriods: ParsedPeriods = { periods: {}, resolved: {}, wrong: {} }
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
    } else if (periodParam) parsedPeriods.wrong[period.from] = periodParam
  }
  return parsedPeriods
}

type ParseViewOptions = {
  /** The current time in milliseconds since the epoch. */
  now?: number
  /** The columns in the person's preferences, in URL format. Used if the URL contains none. */
  columns?: string | undefined
}

/**
 * Parses the state of a list from its URL. An unknown tab, sort or order becomes the default.
 * Filter values stay text, because the server validates them and names an invalid one.
 */
export function parseView(
  spec: ListSpec,
  search: SearchParams,
  { now = Date.now(), columns }: ParseViewOptions = {},
): ListViewState {
  const tab = spec.tabs.find((known) => known.id === readParam(search, 'tab')) ?? spec.tabs[0]
  const sortField =
    spec.sorts.find((known) => known === readParam(search, 'sort')) ?? getDefaultSort(spec, tab)
  const { periods, resolved, wrong } = parsePeriods(spec, search, now)
  const periodFields = Object.values(resolved).flatMap(({ bounds }) => Object.keys(bounds))
  // Ignores filters on the fields that the tab fixes: a tab must not show other rows than its label
  // states.
  const filterNames = Object.keys(listFilterLabels(spec)).filter(
    (name) => !(name in tab.query) && !periodFields.includes(name),
  )
  const filterEntries = filterNames.flatMap((name) => {
    const value = readParam(search, name)?.trim()
    return value ? [[name, value] as const] : []
  })
  return {
    tab,
    filters: { ...Object.fromEntries(filterEntries), ...wrong },
    periods,
    resolved,
    sort: sortField,
    order:
      sortOrders.find((known) => known === readParam(search, 'order')) ??
      getDefaultOrder(spec, tab, sortField),
    page: parsePositiveInteger(readParam(search, 'page'), 1),
    size: parsePositiveInteger(readParam(search, 'size'), defaultPageSize),
    columns: parseColumns(spec, readParam(search, 'cols') ?? columns ?? null),
  }
}

/** Returns the columns in the list's own order. `none` means no optional columns. */
function parseColumns(spec: ListSpec, text: string | null): readonly string[] | null {
  if (text === null) return null
  const requestedColumns = text.split(',')
  return Object.keys(spec.columns).filter((name) => requestedColumns.includes(name))
}
