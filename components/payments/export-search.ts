import type { ListSpec, ListView } from '@/components/kits/list/list-spec'

/** What an export of a view asks: its tab and filters, all pages. */
export const exportSearch = (spec: ListSpec, view: ListView): Record<string, string> => ({
  ...spec.fixed,
  ...view.tab.query,
  ...view.filters,
})
