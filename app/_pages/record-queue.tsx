import type { ComponentProps } from 'react'
import type { ListSpec } from '@/components/kits/list/spec'
import { searchOf } from '@/components/kits/list/view'
import { endText, viewOf } from '@/components/kits/list/view-of'
import { PageQueue, type RecordQueue } from '@/components/kits/queue/page-queue'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'
import { type RecordResource, recordPath } from '@/lib/routes'
import { accountsOf, load } from '@/lib/server/http/read'
import type { Item, ListId } from './list'
import type { ObjectPage } from './own-page'

type Queue<K extends ListId> = {
  resource: RecordResource
  /** The list whose queues the record may be opened from. */
  spec: ListSpec<K>
  /** How a row of it is called. */
  nameOf: (item: Item<K>) => string
}

/**
 * Begins to read the queue a record's page was opened from (`?queue=`, a tab of its list): its first rows as links from record to record, in the order of the
 * list; null where they could not be read. Undefined where the page was opened from no queue.
 */
export function startQueue<K extends ListId>(
  { context, search }: ObjectPage,
  { resource, spec, nameOf }: Queue<K>,
): Promise<RecordQueue | null> | undefined {
  const tab = spec.tabs.find(({ id, queue }) => queue && id === search.queue)
  if (!tab) return undefined
  const view = viewOf(spec, { tab: tab.id, size: '100' })
  // The queue is the one of the scope the person works in, whatever account the record on the page belongs to.
  const scoped: PageContext = { ...context, account: context.scope }
  const read = async () => {
    const found = await load(scoped, spec.operation, searchOf(spec, view) as Input<ReadId>)
    if (!found.ok) return null
    const items = found.data as Item<K>[]
    const accounts = accountsOf(scoped, found)
    const rows = items.map((item, at) => {
      const account = accounts[at] ?? null
      return { id: item.id, name: nameOf(item), href: recordPath(context, resource, item.id, { account, queue: tab.id }), account }
    })
    return { rows, waits: tab.waits ?? null, end: endText(spec, view, found.meta.unreadable_rows?.length ?? 0) }
  }
  return read()
}

type InQueueProps = Omit<ComponentProps<typeof PageQueue>, 'reading'> & { reading: ReturnType<typeof startQueue> }

/** A record with the way to the next one, where its page was opened from a queue. */
export const InQueue = ({ reading, children, ...queue }: InQueueProps) =>
  reading ? (
    <PageQueue {...queue} reading={reading}>
      {children}
    </PageQueue>
  ) : (
    children
  )
