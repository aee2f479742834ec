import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral, type SearchParams } from 'nuqs/server'
import { filterLabels, type ListSpec, type ListView } from './list-spec'
import { defaultOrder, defaultSort } from './list-view'

const readPaging = createLoader({
  tab: parseAsString,
  sort: parseAsString,
  order: parseAsStringLiteral(['asc', 'desc'] as const),
  page: parseAsInteger.withDefault(1),
  size: parseAsInteger.withDefault(50),
  cols: parseAsString,
})

const atLeastOne = (value: number, fallback: number) => (value >= 1 && value <= 1_000_000 ? value : fallback)

/** Reads a list's state from a URL. Unknown words fall back to the defaults; filter values stay text, so that the server names a wrong one. */
export function viewOf(spec: ListSpec, search: SearchParams): ListView {
  const asked = readPaging(search)
  const tab = spec.tabs.find((known) => known.id === asked.tab) ?? spec.tabs[0]
  const sort = spec.sorts.find((known) => known === asked.sort) ?? defaultSort(spec, tab)
  // What a tab fixes is not narrowed by a filter of the same name: a tab that shows something else than it says would mislead.
  const names = Object.keys(filterLabels(spec)).filter((name) => !(name in tab.query))
  const read = createLoader(Object.fromEntries(names.map((name) => [name, parseAsString])))
  const filters = Object.entries(read(search)).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()] as const] : []))
  return {
    tab,
    filters: Object.fromEntries(filters),
    sort,
    order: asked.order ?? defaultOrder(spec, tab, sort),
    page: atLeastOne(asked.page, 1),
    size: atLeastOne(asked.size, 50),
    ...(spec.columns ? { columns: columnsOf(spec, asked.cols) } : {}),
  }
}

/** Only columns the list knows are shown, in the list's own order; `none` shows the ones that always stand. */
function columnsOf(spec: ListSpec, text: string | null): readonly string[] | null {
  if (text === null) return null
  const asked = text.split(',')
  return Object.keys(spec.columns ?? {}).filter((name) => asked.includes(name))
}
