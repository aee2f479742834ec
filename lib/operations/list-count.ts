import type { Answer } from './answer'

/** Rows are counted to one beyond this at most: a full count would read a long list from end to end. */
export const mostCounted = 10_000

/** Returns a number of rows as text: `9,998`, `10,000+`. */
export const countedText = (count: number): string =>
  count > mostCounted ? `${mostCounted.toLocaleString('en-US')}+` : count.toLocaleString('en-US')

export type ListPage = {
  data: readonly unknown[]
  meta: Pick<Answer<unknown>['meta'], 'total_items' | 'page_size' | 'unreadable_rows' | 'left_out'>
}

/** Returns the number of rows the service sent, with unreadable rows and those dropped because they contradict the search. */
export const rowsSent = ({ data, meta }: ListPage): number => data.length + (meta.unreadable_rows?.length ?? 0) + (meta.left_out ?? 0)

/** True if the page is full, so that another may follow. `size` is the requested page size; the service may use a smaller one. */
export const isFull = (page: ListPage, size: number): boolean => rowsSent(page) >= Math.max(1, Math.min(size, page.meta.page_size ?? size))

/**
 * Returns the number of all matching rows: the service's own count, or the rows seen if the service has no count and this page is the last.
 * Null if it is unknown; it is never the number of rows on one page of several.
 */
export function totalOf(page: ListPage, { size, number = 1 }: { size: number; number?: number }): number | null {
  if (page.meta.total_items !== undefined) return page.meta.total_items
  const sent = rowsSent(page)
  if (isFull(page, size) || (sent === 0 && number > 1)) return null
  return (number - 1) * Math.min(size, page.meta.page_size ?? size) + sent
}

/** True if every matching row was read: there is no other page, and no unreadable row on this one. */
export const isWhole = (page: ListPage, size: number): boolean => totalOf(page, { size }) === page.data.length
