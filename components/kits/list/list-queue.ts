import type { RecordQueue } from '@/components/kits/queue/queue'
import type { PageContext } from '@/lib/client/page-context'
import {
  firstRowParam,
  type ListRow,
  type ListRowsResult,
  type ListSpec,
  type ListViewState,
} from './spec'
import { countPages, toFirstRowHref, toViewHref } from './view'

/**
 * Returns the rows of the page as a queue, with links to other pages. Null if the rows could not be
 * read or the tab is not a queue.
 */
export function toRecordQueue<Row extends ListRow>(
  context: PageContext,
  spec: ListSpec,
  view: ListViewState,
  read: ListRowsResult<Row>,
): RecordQueue | null {
  if (!read.ok || !view.tab.queue) return null
  const pageCount = countPages(read.total, view.size)
  const hasNextPage = pageCount === null ? read.rows.length >= view.size : view.page < pageCount
  const buildFirstRowItemOfPage = (page: number) => ({
    id: firstRowParam,
    name: `the first of page ${page}`,
    href: toFirstRowHref(toViewHref(spec, context, view, { page })),
  })
  return {
    rows: read.rows.map(({ id }, at) => ({
      id,
      name: read.names?.[at] ?? `${spec.one} …${id.slice(-6)}`,
    })),
    waits: view.tab.waits ?? null,
    end: formatEmptyQueueText(spec, view, read.unreadable.length),
    onward: hasNextPage ? buildFirstRowItemOfPage(view.page + 1) : null,
    again: view.page > 1 ? buildFirstRowItemOfPage(1) : null,
  }
}

/**
 * Returns the message if no other row waits. "All caught up" would be wrong if filters or
 * unreadable rows can hide waiting rows.
 */
export function formatEmptyQueueText(
  { one }: ListSpec,
  { filters, periods }: ListViewState,
  unreadableCount: number,
): string {
  if (unreadableCount > 0) return `No other ${one} here is readable.`
  if (Object.keys({ ...filters, ...periods }).length > 0)
    return `No other ${one} matches these filters.`
  return `All caught up: no other ${one} is waiting here.`
}
