import type { Answer } from './answer'

/** Rows are counted no further than one beyond this: a long list would be read from end to end for a figure nobody needs. */
export const mostCounted = 10_000

/** A number of rows as people read it: `9,998`, `10,000+`. */
export const countedText = (count: number): string =>
  count > mostCounted ? `${mostCounted.toLocaleString('en-US')}+` : count.toLocaleString('en-US')

export type ListPage = {
  data: readonly unknown[]
  meta: Pick<Answer<unknown>['meta'], 'total_items' | 'page_size' | 'unreadable_rows' | 'left_out'>
}

/** How many rows the service sent: with those that could not be read, and those that were left out because they contradict the search. */
export const rowsSent = ({ data, meta }: ListPage): number => data.length + (meta.unreadable_rows?.length ?? 0) + (meta.left_out ?? 0)

/** Whether another page may follow: a page is full as long as there are more. `size` is what was asked for; the service may give fewer at once. */
export const isFull = (page: ListPage, size: number): boolean => rowsSent(page) >= Math.max(1, Math.min(size, page.meta.page_size ?? size))

/**
 * How many rows match in all: the service's own count, or what was seen where it gives none and the page ends the list. Null where that leaves it
 * open; it is never the number of rows on this page then.
 */
export function totalOf(page: ListPage, { size, number = 1 }: { size: number; number?: number }): number | null {
  if (page.meta.total_items !== undefined) return page.meta.total_items
  const sent = rowsSent(page)
  if (isFull(page, size) || (sent === 0 && number > 1)) return null
  return (number - 1) * Math.min(size, page.meta.page_size ?? size) + sent
}

/** Whether every row that matches was read: there is no other page, and none on this one that could not be read. */
export const isWhole = (page: ListPage, size: number): boolean => totalOf(page, { size }) === page.data.length
