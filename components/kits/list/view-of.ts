import type { PageContext } from '@/lib/client/page-context'
import { bankDay, monthStart } from '@/lib/dates'
import { dayAfter, newYorkTime } from '@/lib/domain/bank-time'
import {
  filterLabels,
  type ListRead,
  type ListRow,
  type ListSpec,
  type ListView,
  type PeriodName,
  type PeriodSpec,
  periodNames,
  type ResolvedPeriod,
} from './spec'
import type { ListQueue } from './split'
import { defaultOrder, defaultSort, openFirst, pagesOf, viewHref } from './view'

const lastOfMonth = (date: string) => dayAfter(monthStart(dayAfter(monthStart(date), 31)), -1)

const days: Record<PeriodName, (today: string) => { first: string; last: string }> = {
  today: (today) => ({ first: today, last: today }),
  '7-days': (today) => ({ first: dayAfter(today, -6), last: today }),
  'this-month': (today) => ({ first: monthStart(today), last: lastOfMonth(today) }),
}

/**
 * A named period as of an instant (milliseconds). Its days are those of New York, where payment dates are counted, for points in time as well: a
 * shared view then holds the same rows for everybody, wherever they sit.
 */
export function resolvePeriod({ from, to, kind }: PeriodSpec, name: PeriodName, now: number): ResolvedPeriod {
  const { first, last } = days[name](bankDay(now))
  if (kind === 'day') return { first, last, bounds: { [from]: first, [to]: last } }
  const start = newYorkTime(first, '00:00')
  const end = newYorkTime(dayAfter(last, 1), '00:00') - 1
  return { first, last, bounds: { [from]: new Date(start).toISOString(), [to]: new Date(end).toISOString() } }
}

type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a URL says under a name; the first where it says several. */
function said(search: SearchParams, name: string): string | undefined {
  const value = Object.hasOwn(search, name) ? search[name] : undefined
  return typeof value === 'string' ? value : value?.[0]
}

const orders = ['asc', 'desc'] as const

/** A whole number of a URL from 1 on; what is none stands for the fallback. */
function countOf(text: string | undefined, fallback: number): number {
  const value = Number.parseInt(text ?? '', 10)
  return value >= 1 && value <= 1_000_000 ? value : fallback
}

type Periods = Pick<ListView, 'periods' | 'resolved'> & { wrong: Record<string, string> }

/** The periods of a URL and what they mean at an instant. A name nobody knows is left for the server to refuse: without it the list would show everything. */
function periodsIn(spec: ListSpec, search: SearchParams, now: number): Periods {
  const read: Periods = { periods: {}, resolved: {}, wrong: {} }
  for (const [date, period] of Object.entries(spec.periods ?? {})) {
    const word = said(search, date)
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
  /** The columns the reader chose before, which hold where the URL says nothing of columns. */
  columns?: string | undefined
}

/** Reads a list's state from a URL. Unknown words fall back to the defaults; filter values stay text, so that the server names a wrong one. */
export function viewOf(spec: ListSpec, search: SearchParams, { now = Date.now(), columns }: ViewOptions = {}): ListView {
  const tab = spec.tabs.find((known) => known.id === said(search, 'tab')) ?? spec.tabs[0]
  const sort = spec.sorts.find((known) => known === said(search, 'sort')) ?? defaultSort(spec, tab)
  // What a tab fixes is not narrowed by a filter of the same name: a tab that shows something else than it says would mislead.
  const { periods, resolved, wrong } = periodsIn(spec, search, now)
  const taken = Object.values(resolved).flatMap(({ bounds }) => Object.keys(bounds))
  const names = Object.keys(filterLabels(spec)).filter((name) => !(name in tab.query) && !taken.includes(name))
  const filters = names.flatMap((name) => {
    const value = said(search, name)?.trim()
    return value ? [[name, value] as const] : []
  })
  return {
    tab,
    filters: { ...Object.fromEntries(filters), ...wrong },
    periods,
    resolved,
    sort,
    order: orders.find((known) => known === said(search, 'order')) ?? defaultOrder(spec, tab, sort),
    page: countOf(said(search, 'page'), 1),
    size: countOf(said(search, 'size'), 50),
    columns: columnsOf(spec, said(search, 'cols') ?? columns ?? null),
  }
}

/** Only columns the list knows are shown, in the list's own order; `none` shows the ones that are always shown. */
function columnsOf(spec: ListSpec, text: string | null): readonly string[] | null {
  if (text === null) return null
  const asked = text.split(',')
  return Object.keys(spec.columns).filter((name) => asked.includes(name))
}

/** The rows of a page as what is worked through one after the other, and where that goes on; null where they could not be read, or wait for nobody. */
export function queueOf<Row extends ListRow>(context: PageContext, spec: ListSpec, view: ListView, read: ListRead<Row>): ListQueue | null {
  if (!read.ok || !view.tab.queue) return null
  const pages = pagesOf(read.total, view.size)
  const hasMore = pages === null ? read.rows.length >= view.size : view.page < pages
  const pageAt = (page: number) => ({ name: `the first of page ${page}`, href: openFirst(viewHref(spec, context, view, { page })) })
  return {
    rows: read.rows.map(({ id }, at) => ({ id, name: read.names?.[at] ?? `${spec.one} …${id.slice(-6)}` })),
    waits: view.tab.waits ?? null,
    end: endText(spec, view, read.unreadable.length),
    onward: hasMore ? pageAt(view.page + 1) : null,
    again: view.page > 1 ? pageAt(1) : null,
  }
}

/** What is said where no other row waits. A filter or a row that could not be read may hide what waits, so only a whole queue is called clear. */
export function endText({ one }: ListSpec, { filters, periods }: ListView, unreadable: number): string {
  if (unreadable > 0) return `No other ${one} here is readable.`
  if (Object.keys({ ...filters, ...periods }).length > 0) return `No other ${one} matches these filters.`
  return `Queue clear: no other ${one} is waiting here.`
}
