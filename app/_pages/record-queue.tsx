import type { ComponentProps } from 'react'
import { formatEmptyQueueText } from '@/components/kits/list/list-queue'
import { parseView } from '@/components/kits/list/parse-view'
import type { ListSpec } from '@/components/kits/list/spec'
import { toRequestFields } from '@/components/kits/list/view'
import { PageQueue } from '@/components/kits/queue/page-queue'
import type { Queue } from '@/components/kits/queue/queue'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'
import { type RecordResource, recordPath } from '@/lib/routes'
import { listRowAccounts, loadForPage } from '@/lib/server/http/read'
import type { Item, ListId } from './list'
import type { ObjectPage } from './open-page'

type QueueSource<K extends ListId> = {
  resource: RecordResource
  /** The list that contains the queue. */
  spec: ListSpec<K>
  /** Returns the label of a row. */
  nameOf: (item: Item<K>) => string
}

/**
 * Starts to read the queue from which a record's page was opened (`?queue=`, a tab of its list). Resolves to links to the first 100 rows in
 * the order of the list, or null if they cannot be read. Returns undefined if the page was not opened from a queue.
 */
export function startQueue<K extends ListId>(
  { context, search }: ObjectPage,
  { resource, spec, nameOf }: QueueSource<K>,
): Promise<Queue | null> | undefined {
  const tab = spec.tabs.find(({ id, queue }) => queue && id === search.queue)
  if (!tab) return undefined
  const view = parseView(spec, { tab: tab.id, size: '100' })
  // The queue is read in the scope that the person chose, and not in the account of the record on the page.
  const scopedContext: PageContext = { ...context, account: context.scope }
  const readQueue = async () => {
    const result = await loadForPage(scopedContext, spec.operation, toRequestFields(spec, view) as Input<ReadId>)
    if (!result.ok) return null
    const items = result.data as Item<K>[]
    const accounts = listRowAccounts(scopedContext, result)
    const rows = items.map((item, at) => {
      const account = accounts[at] ?? null
      return { id: item.id, name: nameOf(item), href: recordPath(context, resource, item.id, { account, queue: tab.id }), account }
    })
    return {
      rows,
      waits: tab.waits ?? null,
      end: formatEmptyQueueText(spec, view, result.meta.unreadable_rows?.length ?? 0),
      onward: null,
      again: null,
    }
  }
  return readQueue()
}

type WithRecordQueueProps = Omit<ComponentProps<typeof PageQueue>, 'reading'> & { reading: ReturnType<typeof startQueue> }

/** Adds a link to the next record if the page was opened from a queue. */
export const WithRecordQueue = ({ reading, children, ...queue }: WithRecordQueueProps) =>
  reading ? (
    <PageQueue {...queue} reading={reading}>
      {children}
    </PageQueue>
  ) : (
    children
  )
