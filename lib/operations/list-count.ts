import type { ApiAnswer } from './answer'

/**
 * A list counts at most this many rows, because a full count would read a long list from end to
 * end.
 */
export const maxCountedRows = 10_000

/** For example `9,998` or `10,000+`. */
export const toCountText = (count: number): string =>
  count > maxCountedRows
    ? `${maxCountedRows.toLocaleString('en-US')}+`
    : count.toLocaleString('en-US')

export type ListPage = {
  data: readonly unknown[]
  meta: Pick<
    ApiAnswer<unknown>['meta'],
    'total_items' | 'page_size' | 'unreadable_rows' | 'left_out'
  >
}

/** Includes unreadable rows, and rows dropped because they contradict the search. */
export const countServiceRows = ({ data, meta }: ListPage): number =>
  data.length + (meta.unreadable_rows?.length ?? 0) + (meta.left_out ?? 0)

/** `size`: the requested page size; the service may use a smaller one. */
export const isFullPage = (page: ListPage, size: number): boolean =>
  countServiceRows(page) >= Math.max(1, Math.min(size, page.meta.page_size ?? size))

/**
 * Returns the service's own count if it sends one. Otherwise the number is known only on the last
 * page, and null on the others.
 */
export function findTotalRowCount(
  page: ListPage,
  { size, number = 1 }: { size: number; number?: number },
): number | null {
  if (page.meta.total_items !== undefined) return page.meta.total_items
  const serviceRowCount = countServiceRows(page)
  if (isFullPage(page, size) || (serviceRowCount === 0 && number > 1)) return null
  return (number - 1) * Math.min(size, page.meta.page_size ?? size) + serviceRowCount
}

/** There is no other page, and every row could be read. */
export const isWholeListRead = (page: ListPage, size: number): boolean =>
  findTotalRowCount(page, { size }) === page.data.length
