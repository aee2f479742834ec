import type { WireError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { ReadId } from '@/lib/operations/service-operations'
import type { ListResource } from '@/lib/routes'

/** As the open row: the first one, whichever it is when the list is there. */
export const firstRow = 'first'

/** What every row has: its id, and its account (`acct_…`) where it is known or has one. */
export type ListRow = { id: string; account: string | null }

/**
 * What the server read for the list, with the name of each row where it has one; an error is in its place and leaves tabs and filters working. `unreadable` are the rows of this page that
 * could not be read, `total` is null where the service gives no count that makes sense.
 */
export type ListRead<Row extends ListRow> =
  | {
      ok: true
      rows: readonly Row[]
      names?: readonly string[] | undefined
      unreadable: readonly UnreadableRow[]
      total: number | null
      readAt: string
      /** From when on (ISO) all rows are kept; undefined where all there are. */
      keptSince?: string | undefined
    }
  | { ok: false; error: WireError; requestId: string }

/** A tab of a list: which part it shows, as fields of the list's operation, and what is said when it is empty. */
export type ListTab = {
  id: string
  label: string
  query: Readonly<Record<string, string>>
  /** A sentence for an empty tab. */
  empty: string
  /** The tab is a queue: an empty one is good news and is told as "Queue clear". */
  queue?: true
  /** The status the rows of a queue wait in. */
  waits?: string
  /** The order people want here, where it is not the list's own. */
  sort?: string
  order?: 'asc' | 'desc'
}

/**
 * How a filter is written in the form and said in its chip. `since` and `until` are days typed for an operation that takes points in time: the
 * first and the last moment of that day in UTC. `some`: any of the choices, joined by commas. `link` and `quote`: set by links only, so they have a
 * chip and no field; a quote is said whole.
 */
export type FilterKind = 'text' | 'amount' | 'date' | 'since' | 'until' | 'choice' | 'some' | 'yesno' | 'id' | 'link' | 'quote'

/** One filter, under the name its operation gives it. */
export type FilterSpec = { label: string; kind: FilterKind; choices?: Readonly<Record<string, string>>; placeholder?: string }

/** A named length of time up to today, or around it. */
export type PeriodName = 'today' | '7-days' | 'this-month'

/** The named periods, in the order they are offered. */
export const periodNames = ['today', '7-days', 'this-month'] as const satisfies readonly PeriodName[]

export const periodLabels: Readonly<Record<PeriodName, string>> = { today: 'Today', '7-days': '7 days', 'this-month': 'This month' }

/** A date of a list that can be asked for by period: the filters that bound it, which take calendar dates or points in time. */
export type PeriodSpec = { label: string; from: string; to: string; kind: 'day' | 'instant' }

/** A period as it is today: its first and last day, and the filters that say so. */
export type ResolvedPeriod = { first: string; last: string; bounds: Readonly<Record<string, string>> }

/** A column a person may show or hide. `hidden` until asked for; `tabs`: the table has it on these tabs only. */
export type ColumnSpec = { label: string; hidden?: true; tabs?: readonly string[] }

/**
 * A list as plain data, so that server and browser read the same: what it asks, how it may be narrowed and sorted, and how it is called.
 * Filter values travel as text; the operation's own schema reads them on the server and names a wrong one.
 */
export type ListSpec<K extends ReadId | null = ReadId | null> = {
  /** Names the page of the list and of its rows, see `lib/routes`. */
  resource: ListResource
  /** What the payments service is asked; null where the rows are Paydesk's own. */
  operation: K
  title: string
  one: string
  many: string
  /** Fields every reading carries. */
  fixed?: Readonly<Record<string, string>>
  /** The first is the one without a word in the URL. */
  tabs: readonly [ListTab, ...ListTab[]]
  /** The filter that is in the open. */
  search?: { name: string; placeholder: string }
  filters: Readonly<Record<string, FilterSpec>>
  /** The dates that have named periods, by the word each has in the URL; none where the service cannot be asked for days. */
  periods?: Readonly<Record<string, PeriodSpec>>
  /** The first is the one without a word in the URL. */
  sorts: readonly [string, ...string[]]
  /** The direction of the first sort; any other begins with `desc`. */
  order: 'asc' | 'desc'
  /** The columns a person may show or hide, by the ids of the table's columns. Those that are not here are always shown: the first, the last, and the row's link. */
  columns: Readonly<Record<string, ColumnSpec>>
}

/** The whole state of a list as its URL says it; everything but the open row. */
export type ListView = {
  tab: ListTab
  filters: Readonly<Record<string, string>>
  /** The periods that are chosen, by date. Their names are in the URL, so a view of seven days means other days tomorrow. */
  periods: Readonly<Record<string, PeriodName>>
  /** What they mean as this was read. */
  resolved: Readonly<Record<string, ResolvedPeriod>>
  sort: string
  order: 'asc' | 'desc'
  page: number
  size: number
  /** The optional columns that are shown; null for those the list shows by default. */
  columns: readonly string[] | null
}

export const pageSizes = [25, 50, 100] as const

/** Labels of all filters, the open search among them. */
export const filterLabels = (spec: ListSpec): Record<string, string> => ({
  ...(spec.search ? { [spec.search.name]: 'Search' } : {}),
  ...Object.fromEntries(Object.entries(spec.filters).map(([name, filter]) => [name, filter.label])),
})

/** Whether a filter is set by links only, and has no field. */
export const isByLink = ({ kind }: FilterSpec): boolean => kind === 'link' || kind === 'quote'

export const shownColumns = (spec: ListSpec, view: ListView): readonly string[] =>
  view.columns ?? Object.entries(spec.columns).flatMap(([name, column]) => (column.hidden ? [] : [name]))
