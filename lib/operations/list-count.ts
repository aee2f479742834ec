import type { Answer } from './answer'

/**
 * The largest number of rows that is counted exactly: a full count would read a long list from end
 * to end.
 */
export const maxCounted = 10_000

/** Returns a number of rows as text: `9,998`, `10,000+`. */
export const toCountText = (count: number): string =>
  count > maxCounted ? `${maxCounted.toLocaleString('en-US')}+` : count.toLocaleString('en-US')

export type ListPage = {
  data: readonly unknown[]
  meta: Pick<Answer<unknown>['meta'], 'total_items' | 'page_size' | 'unreadable_rows' | 'left_out'>
}

/**
 * Returns the number of rows that the service sent, including unreadable rows and rows dropped
 * because they contradict the search.
 */
export const countSentRows = ({ data, meta }: ListPage): number =>
  data.length + (meta.unreadable_rows?.length ?? 0) + (meta.left_out ?? 0)

/**
 * True if the page is full, so that another may follow. `size` is the requested page size; the
 * service may use a smaller one.
 */
export const isFullPage = (page: ListPage, size: number): boolean =>
  countSentRows(page) >= Math.max(1, Math.min(size, page.meta.page_size ?? size))

/**
 * Returns the number of all matching rows; null if it is unknown. Uses the service's own count if
 * the service sends one. Otherwise the number is known only on the last page: it is the number of
 * rows up to the end of that page.
 */
export function findTotalRowCount(
  page: ListPage,
  { size, number = 1 }: { size: number; number?: number },
): number | null {
  if (page.meta.total_items !== undefined) return page.meta.total_items
  const sentCount = countSentRows(page)
  if (isFullPage(page, size) || (sentCount === 0 && number > 1)) return null
  return (number - 1) * Math.min(size, page.meta.page_size ?? size) + sentCount
}

/**
 * True if this page has every matching row: there is no other page, and every row could be read.
 */
export const isFullyRead = (page: ListPage, size: number): boolean =>
  findTotalRowCount(page, { size }) === page.data.length
