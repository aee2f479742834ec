import type { Queue } from '@/components/kits/queue/queue'
import type { PageContext } from '@/lib/client/page-context'
import { firstRowParam, type ListRead, type ListRow, type ListSpec, type ListView } from './spec'
import { countPages, openFirstRowIn, toViewHref } from './view'

/** Returns the rows of the page as a queue, with links to other pages. Null if the rows could not be read or the tab is not a queue. */
export function toQueue<Row extends ListRow>(context: PageContext, spec: ListSpec, view: ListView, read: ListRead<Row>): Queue | null {
  if (!read.ok || !view.tab.queue) return null
  const pages = countPages(read.total, view.size)
  const hasMore = pages === null ? read.rows.length >= view.size : view.page < pages
  const pageAt = (page: number) => ({
    id: firstRowParam,
    name: `the first of page ${page}`,
    href: openFirstRowIn(toViewHref(spec, context, view, { page })),
  })
  return {
    rows: read.rows.map(({ id }, at) => ({ id, name: read.names?.[at] ?? `${spec.one} …${id.slice(-6)}` })),
    waits: view.tab.waits ?? null,
    end: formatEmptyQueueText(spec, view, read.unreadable.length),
    onward: hasMore ? pageAt(view.page + 1) : null,
    again: view.page > 1 ? pageAt(1) : null,
  }
}

/** Returns the message if no other row waits. Filters and unreadable rows may hide some, so only a complete queue is called clear. */
export function formatEmptyQueueText({ one }: ListSpec, { filters, periods }: ListView, unreadable: number): string {
  if (unreadable > 0) return `No other ${one} here is readable.`
  if (Object.keys({ ...filters, ...periods }).length > 0) return `No other ${one} matches these filters.`
  return `All caught up: no other ${one} is waiting here.`
}
