import type { ReadId } from '@/lib/operations/rows'
import type { RecordResource } from '@/lib/routes'

/** A tab of a list: which part it shows, as fields of the list's operation, and what is said when it is empty. */
export type ListTab = {
  id: string
  label: string
  query: Readonly<Record<string, string>>
  /** A sentence for an empty tab. */
  empty: string
  /** The tab is a queue: an empty one is good news and is told as "Queue clear". */
  queue?: true
  /** The order people want here, where it is not the list's own. */
  sort?: string
  order?: 'asc' | 'desc'
}

/**
 * How a filter is written in the form and said in its chip. `since` and `until` are days typed for an operation that takes points in time: the
 * first and the last moment of that day in UTC. `some`: any of the choices, joined by commas. `link`: set by links only, so it has a chip and no
 * field.
 */
export type FilterKind = 'text' | 'amount' | 'date' | 'since' | 'until' | 'choice' | 'some' | 'yesno' | 'id' | 'link'

/** One filter, under the name its operation gives it. */
export type FilterSpec = { label: string; kind: FilterKind; choices?: Readonly<Record<string, string>>; placeholder?: string }

/**
 * A list as plain data, so that server and browser read the same: what it asks, how it may be narrowed and sorted, and how it is called.
 * Filter values travel as text; the operation's own schema reads them on the server and names a wrong one.
 */
export type ListSpec<K extends ReadId = ReadId> = {
  /** Names the page of the list and of its rows, see `lib/routes`. */
  resource: RecordResource | 'payments'
  operation: K
  title: string
  one: string
  many: string
  /** Fields every reading carries. */
  fixed?: Readonly<Record<string, string>>
  /** The first is the one without a word in the URL. */
  tabs: readonly [ListTab, ...ListTab[]]
  /** The filter that stands in the open. */
  search?: { name: string; placeholder: string }
  filters: Readonly<Record<string, FilterSpec>>
  /** The first is the one without a word in the URL. */
  sorts: readonly [string, ...string[]]
  /** The direction of the first sort; any other begins with `desc`. */
  order: 'asc' | 'desc'
  /** The columns a person may show or take away, by the ids of the table's columns; those that are not here always stand. */
  columns?: Readonly<Record<string, { label: string; hidden?: true }>>
}

/** The whole state of a list as its URL says it; everything but the open row. */
export type ListView = {
  tab: ListTab
  filters: Readonly<Record<string, string>>
  sort: string
  order: 'asc' | 'desc'
  page: number
  size: number
  /** The optional columns that are shown; null for those the list shows by itself. */
  columns?: readonly string[] | null
}

/** Rows a page may have. */
export const pageSizes = [25, 50, 100] as const

/** Labels of all filters, the open search among them. */
export const filterLabels = (spec: ListSpec): Record<string, string> => ({
  ...(spec.search ? { [spec.search.name]: 'Search' } : {}),
  ...Object.fromEntries(Object.entries(spec.filters).map(([name, filter]) => [name, filter.label])),
})

/** The optional columns a view shows. */
export const shownColumns = (spec: ListSpec, view: ListView): readonly string[] =>
  view.columns ?? Object.entries(spec.columns ?? {}).flatMap(([name, column]) => (column.hidden ? [] : [name]))
