import { bankDay, monthStart } from '@/lib/dates'
import { addDays, newYorkTime } from '@/lib/domain/bank-time'
import { type ListSpec, type ListView, listFilterLabels, type PeriodName, type PeriodSpec, periodNames, type ResolvedPeriod } from './spec'
import { defaultPageSize, getDefaultOrder, getDefaultSort } from './view'

const toLastDayOfMonth = (date: string) => addDays(monthStart(addDays(monthStart(date), 31)), -1)

const days: Record<PeriodName, (today: string) => { first: string; last: string }> = {
  today: (today) => ({ first: today, last: today }),
  '7-days': (today) => ({ first: addDays(today, -6), last: today }),
  'this-month': (today) => ({ first: monthStart(today), last: toLastDayOfMonth(today) }),
}

/**
 * Resolves a named period at an instant (milliseconds). Days are New York days, as for payment dates, and for timestamps too. A shared view
 * thus contains the same rows in every time zone.
 */
export function resolvePeriod({ from, to, kind }: PeriodSpec, name: PeriodName, now: number): ResolvedPeriod {
  const { first, last } = days[name](bankDay(now))
  if (kind === 'day') return { first, last, bounds: { [from]: first, [to]: last } }
  const start = newYorkTime(first, '00:00')
  const end = newYorkTime(addDays(last, 1), '00:00') - 1
  return { first, last, bounds: { [from]: new Date(start).toISOString(), [to]: new Date(end).toISOString() } }
}

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the value of a URL parameter; the first one if it repeats. */
function readParam(search: SearchParams, name: string): string | undefined {
  const value = Object.hasOwn(search, name) ? search[name] : undefined
  return typeof value === 'string' ? value : value?.[0]
}

const sortOrders = ['asc', 'desc'] as const

/** Parses a whole number from 1 on; returns the fallback for anything else. */
function parsePositiveInteger(text: string | undefined, fallback: number): number {
  const value = Number.parseInt(text ?? '', 10)
  return value >= 1 && value <= 1_000_000 ? value : fallback
}

type ParsedPeriods = Pick<ListView, 'periods' | 'resolved'> & { wrong: Record<string, string> }

/**
 * Reads the periods of a URL and resolves them at an instant. An unknown name is passed on for the server to refuse; ignoring it would show
 * all rows.
 */
function parsePeriods(spec: ListSpec, search: SearchParams, now: number): ParsedPeriods {
  const parsedPeriods: ParsedPeriods = { periods: {}, resolved: {}, wrong: {} }
  for (const [date, period] of Object.entries(spec.periods ?? {})) {
    const periodName = readParam(search, date)
    const name: PeriodName | undefined = periodNames.find((known) => known === periodName)
    if (name) {
      parsedPeriods.periods = { ...parsedPeriods.periods, [date]: name }
      parsedPeriods.resolved = { ...parsedPeriods.resolved, [date]: resolvePeriod(period, name, now) }
    } else if (periodName) parsedPeriods.wrong[period.from] = periodName
  }
  return parsedPeriods
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
export function parseView(spec: ListSpec, search: SearchParams, { now = Date.now(), columns }: ViewOptions = {}): ListView {
  const tab = spec.tabs.find((known) => known.id === readParam(search, 'tab')) ?? spec.tabs[0]
  const sort = spec.sorts.find((known) => known === readParam(search, 'sort')) ?? getDefaultSort(spec, tab)
  // A tab's fixed fields cannot be filtered: a tab must not show other rows than its label states.
  const { periods, resolved, wrong } = parsePeriods(spec, search, now)
  const periodFields = Object.values(resolved).flatMap(({ bounds }) => Object.keys(bounds))
  const names = Object.keys(listFilterLabels(spec)).filter((name) => !(name in tab.query) && !periodFields.includes(name))
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
    order: sortOrders.find((known) => known === readParam(search, 'order')) ?? getDefaultOrder(spec, tab, sort),
    page: parsePositiveInteger(readParam(search, 'page'), 1),
    size: parsePositiveInteger(readParam(search, 'size'), defaultPageSize),
    columns: parseColumns(spec, readParam(search, 'cols') ?? columns ?? null),
  }
}

/** Returns the known columns in the list's own order; `none` shows only the columns that are always shown. */
function parseColumns(spec: ListSpec, text: string | null): readonly string[] | null {
  if (text === null) return null
  const requestedColumns = text.split(',')
  return Object.keys(spec.columns).filter((name) => requestedColumns.includes(name))
}
