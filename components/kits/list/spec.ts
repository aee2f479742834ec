import type { WireError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { ReadId } from '@/lib/operations/service-operations'
import type { ListResource } from '@/lib/routes'

/** The value of `open` for the first row, whichever it is once the list has loaded. */
export const firstRow = 'first'

/** Fields of every row: its id, and its account (`acct_…`), null if unknown or none. */
export type ListRow = { id: string; account: string | null }

/** Returns the named fields of an object. Rows are sent to the browser, so they contain only the fields that their table shows. */
export const fieldsOf = <T extends object, K extends keyof T>(object: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, object[name]])) as Pick<T, K>

/**
 * The server's read for a list, with each row's name if it has one. On an error, tabs and filters still work. `unreadable` are the
 * unreadable rows of this page. `total` is null if the service returns no usable count.
 */
export type ListRead<Row extends ListRow> =
  | {
      ok: true
      rows: readonly Row[]
      names?: readonly string[] | undefined
      unreadable: readonly UnreadableRow[]
      total: number | null
      readAt: string
      /** Date (ISO) since when all rows are kept; undefined if all exist. */
      keptSince?: string | undefined
    }
  | { ok: false; error: WireError; requestId: string }

/** A tab of a list: its restriction, as fields of the list's operation, and its text when empty. */
export type ListTab = {
  id: string
  label: string
  query: Readonly<Record<string, string>>
  empty: string
  /** The tab is a queue: if it is empty, the title is "Queue clear". */
  queue?: true
  /** The status of waiting rows in a queue. */
  waits?: string
  /** The tab's own sort order, if it differs from the list's. */
  sort?: string
  order?: 'asc' | 'desc'
}

/**
 * The kind of a filter's field and chip. `since` and `until` are typed dates for an operation that takes timestamps: the first and the last
 * second of that day in UTC. `some`: several choices, joined by commas. `link` and `quote`: set by links only, with a chip and no field; a
 * quote is shown in full.
 */
export type FilterKind = 'text' | 'amount' | 'date' | 'since' | 'until' | 'choice' | 'some' | 'yesno' | 'id' | 'link' | 'quote'

/** A filter, keyed by its name in the operation. */
export type FilterSpec = { label: string; kind: FilterKind; choices?: Readonly<Record<string, string>>; placeholder?: string }

/** A named period up to today, or around it. */
export type PeriodName = 'today' | '7-days' | 'this-month'

export const periodNames = ['today', '7-days', 'this-month'] as const satisfies readonly PeriodName[]

export const periodLabels: Readonly<Record<PeriodName, string>> = { today: 'Today', '7-days': '7 days', 'this-month': 'This month' }

/** A date of a list that can be filtered by period. `from` and `to` are the filters that bound it, as calendar dates or timestamps. */
export type PeriodSpec = { label: string; from: string; to: string; kind: 'day' | 'instant' }

/** A period resolved for today: its first and last day, and the filters for them. */
export type ResolvedPeriod = { first: string; last: string; bounds: Readonly<Record<string, string>> }

/** A column that can be shown or hidden. `hidden`: not shown by default; `tabs`: only on these tabs. */
export type ColumnSpec = { label: string; hidden?: true; tabs?: readonly string[] }

/**
 * A list as plain data, shared by server and browser: its operation, filters, sorts and nouns. Filter values are sent as text; the
 * operation's schema validates them on the server and names an invalid one.
 */
export type ListSpec<K extends ReadId | null = ReadId | null> = {
  /** Selects the URLs of the list and its rows, see `lib/routes`. */
  resource: ListResource
  /** The operation at the payments service; null if the rows are Paydesk's own. */
  operation: K
  title: string
  one: string
  many: string
  /** Fields of every request. */
  fixed?: Readonly<Record<string, string>>
  /** The first tab is the default and has no URL parameter. */
  tabs: readonly [ListTab, ...ListTab[]]
  /** The filter that is always visible. */
  search?: { name: string; placeholder: string }
  filters: Readonly<Record<string, FilterSpec>>
  /** Dates with named periods, by their URL parameter; undefined if the service has no date filter. */
  periods?: Readonly<Record<string, PeriodSpec>>
  /** The first sort is the default and has no URL parameter. */
  sorts: readonly [string, ...string[]]
  /** The direction of the first sort; any other starts with `desc`. */
  order: 'asc' | 'desc'
  /**
   * Columns that can be shown or hidden, by the table's column ids. Other columns are always shown: the first, the last, and the row's
   * link.
   */
  columns: Readonly<Record<string, ColumnSpec>>
}

/** The state of a list in its URL, except the open row. */
export type ListView = {
  tab: ListTab
  filters: Readonly<Record<string, string>>
  /** The selected period of each date. The URL contains the name, so a view of 7 days means other days tomorrow. */
  periods: Readonly<Record<string, PeriodName>>
  /** The periods' dates and filters at the time of the read. */
  resolved: Readonly<Record<string, ResolvedPeriod>>
  sort: string
  order: 'asc' | 'desc'
  page: number
  size: number
  /** The visible optional columns; null for the list's default. */
  columns: readonly string[] | null
}

export const pageSizes = [25, 50, 100] as const

/** Labels of all filters, including the open search. */
export const filterLabels = (spec: ListSpec): Record<string, string> => ({
  ...(spec.search ? { [spec.search.name]: 'Search' } : {}),
  ...Object.fromEntries(Object.entries(spec.filters).map(([name, filter]) => [name, filter.label])),
})

/** True if a filter is set by links only and has no field. */
export const isByLink = ({ kind }: FilterSpec): boolean => kind === 'link' || kind === 'quote'

export const shownColumns = (spec: ListSpec, view: ListView): readonly string[] =>
  view.columns ?? Object.entries(spec.columns).flatMap(([name, column]) => (column.hidden ? [] : [name]))
