import type { WireError } from '@/lib/errors'
import type { UnreadableRow } from '@/lib/operations/answer'
import type { ReadId } from '@/lib/operations/service-operations'
import type { ListResource } from '@/lib/routes'

/** Value of the URL parameter `open` that means the first row of the loaded list. */
export const firstRowParam = 'first'

/** `account` (`acct_…`) is null if it is unknown or the row has none. */
export type ListRow = { id: string; account: string | null }

/** Rows contain only the fields that their table shows, because they are sent to the browser. */
export const pickFields = <T extends object, K extends keyof T>(
  object: T,
  names: readonly K[],
): Pick<T, K> => Object.fromEntries(names.map((name) => [name, object[name]])) as Pick<T, K>

/**
 * The result of the server's read of one page of a list. `names` are the labels of the rows, in the
 * same order. `unreadable` are the rows of this page that could not be read. `total` is null if the
 * service returns no usable count. After an error, tabs and filters still work.
 */
export type ListRowsResult<Row extends ListRow> =
  | {
      ok: true
      rows: readonly Row[]
      names?: readonly string[] | undefined
      unreadable: readonly UnreadableRow[]
      total: number | null
      readAt: string
      /**
       * Paydesk has all rows from this date (ISO) on, and of older rows only those not in a final
       * state. Undefined if it has all rows.
       */
      keptSince?: string | undefined
    }
  | { ok: false; error: WireError; requestId: string }

/** `query`: request fields that select the tab's rows. `empty`: text if there are no rows. */
export type ListTab = {
  id: string
  label: string
  query: Readonly<Record<string, string>>
  empty: string
  /**
   * True if the tab is a queue: its rows wait for a decision. If a queue has no rows, its title is
   * "All caught up".
   */
  queue?: true
  /** The status that all rows of the queue have. Undefined if they have different ones. */
  waits?: string
  /** The tab's default sort. If it is undefined, the list's default applies. */
  sort?: string
  order?: 'asc' | 'desc'
}

/**
 * The kind of a filter, which determines its form field and its chip.
 * - `since`, `until`: the person types a date, and the request contains a timestamp, which is the
 *   first or last millisecond of that day in the person's time zone.
 * - `some`: several choices, joined by commas.
 * - `link`, `quote`: set by links only, so there is a chip and no field. A long value is
 *   abbreviated for `link`, but not for `quote`.
 */
export type FilterKind =
  | 'text'
  | 'amount'
  | 'date'
  | 'since'
  | 'until'
  | 'choice'
  | 'some'
  | 'yesno'
  | 'id'
  | 'link'
  | 'quote'

/** A filter. Its key in `ListSpec.filters` is the name of a field of the operation's request. */
export type FilterSpec = {
  label: string
  kind: FilterKind
  choices?: Readonly<Record<string, string>>
  placeholder?: string
}

/** A named period. `today` and `7-days` end today; `this-month` is the whole month. */
export type PeriodName = 'today' | '7-days' | 'this-month'

export const periodNames = [
  'today',
  '7-days',
  'this-month',
] as const satisfies readonly PeriodName[]

export const periodLabels: Readonly<Record<PeriodName, string>> = {
  today: 'Today',
  '7-days': '7 days',
  'this-month': 'This month',
}

/** A date to filter by. `from`, `to`: the filters for its bounds. `kind`: the format of both. */
export type PeriodSpec = { label: string; from: string; to: string; kind: 'day' | 'instant' }

/** The days that a period means at present. `bounds` are the filters that select these days. */
export type ResolvedPeriod = {
  first: string
  last: string
  bounds: Readonly<Record<string, string>>
}

/** `hidden`: not visible by default. `tabs`: the only tabs with this column. */
export type ColumnSpec = { label: string; hidden?: true; tabs?: readonly string[] }

/**
 * The definition of a list, as plain data for server and browser: its operation, filters, sorts and
 * nouns. Filter values are sent as text. The server validates them with the operation's schema and
 * names an invalid one.
 */
export type ListSpec<K extends ReadId | null = ReadId | null> = {
  /** Determines the URLs of the list and its rows, see `lib/routes`. */
  resource: ListResource
  /** The list's operation at the payments service. Null if Paydesk itself stores the rows. */
  operation: K
  title: string
  one: string
  many: string
  /** Fields added to every request of the list. */
  fixed?: Readonly<Record<string, string>>
  /** The first tab is the default and has no URL parameter. */
  tabs: readonly [ListTab, ...ListTab[]]
  /** The search filter, which is always visible. */
  search?: { name: string; placeholder: string }
  filters: Readonly<Record<string, FilterSpec>>
  /** Keys are URL parameters. Undefined if the service has no date filter. */
  periods?: Readonly<Record<string, PeriodSpec>>
  /** The first is the default and has no URL parameter. */
  sorts: readonly [string, ...string[]]
  /** The initial direction of the default sort. All other sorts begin with `desc`. */
  order: 'asc' | 'desc'
  /** Columns that the person can show or hide, by id. All others are always visible. */
  columns: Readonly<Record<string, ColumnSpec>>
}

/** The state of a list as stored in its URL, except the open row. */
export type ListViewState = {
  tab: ListTab
  filters: Readonly<Record<string, string>>
  /**
   * The selected period of each date. The URL contains the name and no dates, so a saved view of 7
   * days selects other days tomorrow.
   */
  periods: Readonly<Record<string, PeriodName>>
  /** The selected periods with their dates and filters at the time of the read. */
  resolved: Readonly<Record<string, ResolvedPeriod>>
  sort: string
  order: 'asc' | 'desc'
  page: number
  size: number
  /** The visible optional columns. Null means the list's default. */
  columns: readonly string[] | null
  /** A sentence for each parameter of the URL that the list does not follow. */
  ignored: readonly string[]
}

export const pageSizes = [25, 50, 100] as const

export const listFilterLabels = (spec: ListSpec): Record<string, string> => ({
  ...(spec.search ? { [spec.search.name]: 'Search' } : {}),
  ...Object.fromEntries(Object.entries(spec.filters).map(([name, filter]) => [name, filter.label])),
})

export const isSetByLinkOnly = ({ kind }: FilterSpec): boolean =>
  kind === 'link' || kind === 'quote'

export const listVisibleColumns = (spec: ListSpec, view: ListViewState): readonly string[] =>
  view.columns ??
  Object.entries(spec.columns).flatMap(([name, column]) => (column.hidden ? [] : [name]))
