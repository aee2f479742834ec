import type { ReactNode } from 'react'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import type { Opened } from '@/components/kits/list/split'
import type { PanelProps } from '@/components/kits/record/record-panel'
import { actionsOn } from '@/lib/features/activity/server/operations'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input } from '@/lib/operations/registry'
import { isRecordGet, type RecordGetId, resourceOf } from '@/lib/operations/service-operations'
import type { ListResource } from '@/lib/routes'
import { knownAccountOf } from '@/lib/server/http/account-of'
import { load } from '@/lib/server/http/read'

/**
 * A record, its account and what Paydesk did with it, as the record's panel takes them: from the mirror, beside which the browser asks the service. Only what
 * the mirror does not have, or not for this person, is waited for.
 */
export async function loadRecord<K extends RecordGetId>(context: PageContext, get: K, id: string): Promise<PanelProps<K>> {
  const target = `${resourceOf(get)}/${id}`
  const [record, initialActions, indexed] = await Promise.all([
    load(context, get, { id } as Input<K>),
    actionsOn(context, target),
    context.account ?? knownAccountOf(context, target),
  ])
  if (!record.ok) return { id, knownAccount: indexed, initialActions, initialError: { error: record.error, requestId: record.requestId } }
  const knownAccount = indexed ?? record.meta.accounts?.[0] ?? null
  return { id, knownAccount, initialActions, initial: { data: record.data, meta: record.meta, replayed: false } }
}

/** The same for a record that is opened beside a list (`?open=`), which waits for no service; null where the mirror has none for this person. */
export async function loadBeside(context: PageContext, resource: ListResource, id: string): Promise<Opened | null> {
  const gets = (resource === 'payments' ? ['payouts.get', 'charges.get'] : [`${resource}.get`]).filter(isRecordGet)
  for (const get of gets) {
    const kept = await load(context, get, { id }, { live: false })
    if (!kept.ok) continue
    const initialActions = await actionsOn(context, `${resourceOf(get)}/${id}`)
    const initial = { data: kept.data, meta: kept.meta, replayed: false } as Opened['initial']
    return { get, id, knownAccount: kept.meta.accounts?.[0] ?? null, initialActions, initial }
  }
  return null
}

/** A record as a page, as high as the window. */
export const RecordPage = ({ context, children }: { context: PageContext; children: ReactNode }) => (
  <PageContextProvider context={context}>
    <div
      data-fits="always"
      className="relative -mx-4 -mb-12 h-[calc(100%+3rem)] overflow-y-auto lg:-mx-6 print:h-auto print:overflow-visible"
    >
      {children}
    </div>
  </PageContextProvider>
)
