import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral, type SearchParams } from 'nuqs/server'
import { defaultOrder, defaultTab, type FilterName, filterLabels, type PayoutView, payoutTabs, sortNames } from './payout-view'

const filterNames = Object.keys(filterLabels) as FilterName[]

const readSearch = createLoader({
  tab: parseAsStringLiteral(payoutTabs.map((tab) => tab.id)).withDefault(defaultTab.id),
  sort: parseAsStringLiteral(sortNames).withDefault('created_at'),
  order: parseAsStringLiteral(['asc', 'desc'] as const),
  page: parseAsInteger.withDefault(1),
  size: parseAsInteger.withDefault(50),
})

const readFilters = createLoader(Object.fromEntries(filterNames.map((name) => [name, parseAsString])))

const atLeastOne = (value: number, fallback: number) => (value >= 1 && value <= 1_000_000 ? value : fallback)

/** Reads the list's state from a URL. Unknown words fall back to the defaults; filter values stay text, so that the server names a wrong one. */
export function viewOf(search: SearchParams): PayoutView {
  const { tab: tabId, sort, order, page, size } = readSearch(search)
  const tab = payoutTabs.find((known) => known.id === tabId) ?? defaultTab
  const filters = Object.entries(readFilters(search)).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()] as const] : []))
  return {
    tab,
    filters: Object.fromEntries(filters),
    sort,
    order: order ?? defaultOrder(tab, sort),
    page: atLeastOne(page, 1),
    size: atLeastOne(size, 50),
  }
}
