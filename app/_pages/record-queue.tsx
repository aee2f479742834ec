import type { ComponentProps } from 'react'
import { formatEmptyQueueText } from '@/components/kits/list/list-queue'
import { parseView } from '@/components/kits/list/parse-view'
import type { ListSpec } from '@/components/kits/list/spec'
import { toRequestFields } from '@/components/kits/list/view'
import { PageQueueProvider } from '@/components/kits/queue/page-queue'
import type { RecordQueue } from '@/components/kits/queue/queue'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input } from '@/lib/operations/registry'
import type { ReadId } from '@/lib/operations/service-operations'
import { type RecordResource, recordPath } from '@/lib/routes'
import { listRowAccounts, loadReadForPage } from '@/lib/server/http/read'
import type { ListItem, ListOperationId } from './list'
import type { PreparedObjectPage } from './open-page'

type QueueReadOptions<K extends ListOperationId> = {
  resource: RecordResource
  /** The list that has the queue as one of its tabs. */
  spec: ListSpec<K>
  /** Returns a row's text in links to the next record. */
  nameOf: (item: ListItem<K>) => string
}

/**
 * If the page was opened from a queue, `?queue=` contains the id of the queue, which is a tab of a
 * list. Resolves to the queue's first 100 rows, or to null if the read fails. Returns undefined if
 * the page was not opened from a queue.
 */
export function startQueueRead<K extends ListOperationId>(
  { context, search }: PreparedObjectPage,
  { resource, spec, nameOf }: QueueReadOptions<K>,
): Promise<RecordQueue | null> | undefined {
  const tab = spec.tabs.find(({ id, queue }) => queue && id === search.queue)
  if (!tab) return undefined
  const view = parseView(spec, { tab: tab.id, size: '100' })
  // Reads the queue in the scope that the person chose (account or platform), which can have more
  // records than this record's account. A person with roles for single accounts only can read no
  // other scope than an account.
  const queueAccount = context.isLimited ? context.account : context.scope
  const queueScopeContext: PageContext = { ...context, account: queueAccount }
  const readQueue = async () => {
    const listResult = await loadReadForPage(
      queueScopeContext,
      spec.operation,
      toRequestFields(spec, view) as Input<ReadId>,
    )
    if (!listResult.ok) return null
    const queueItems = listResult.data as ListItem<K>[]
    const rowAccounts = listRowAccounts(queueScopeContext, listResult)
    const rows = queueItems.map((item, at) => {
      const account = rowAccounts[at] ?? null
      return {
        id: item.id,
        name: nameOf(item),
        href: recordPath(context, resource, item.id, { account, queue: tab.id }),
        account,
      }
    })
    return {
      rows,
      waits: tab.waits ?? null,
      end: formatEmptyQueueText(spec, view, listResult.meta.unreadable_rows?.length ?? 0),
      onward: null,
      again: null,
    }
  }
  return readQueue()
}

type RecordQueueFrameProps = Omit<ComponentProps<typeof PageQueueProvider>, 'reading'> & {
  reading: ReturnType<typeof startQueueRead>
}

/** Offers the next record after a decision, if the page was opened from a queue. */
export const RecordQueueFrame = ({ reading, children, ...queue }: RecordQueueFrameProps) =>
  reading ? (
    <PageQueueProvider {...queue} reading={reading}>
      {children}
    </PageQueueProvider>
  ) : (
    children
  )
