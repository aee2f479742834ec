import type { ReactNode } from 'react'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import type { PanelProps } from '@/components/kits/record/record-panel'
import { actionsOn } from '@/lib/features/activity/server/operations'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input } from '@/lib/operations/registry'
import { resourceOf } from '@/lib/operations/service-operations'
import { knownAccountOf } from '@/lib/server/http/account-of'
import { load, loadMirrored } from '@/lib/server/http/read'
import type { RecordGetId } from '@/lib/server/mirror/query'

/**
 * A record, its account and what Paydesk did with it, as the record's panel takes them: from the mirror, beside which the browser asks the service. Only what
 * the mirror does not have, or not for this person, is waited for.
 */
export async function loadRecord<K extends RecordGetId>(context: PageContext, get: K, id: string): Promise<PanelProps<K>> {
  const target = `${resourceOf(get)}/${id}`
  const [kept, initialActions, indexed] = await Promise.all([
    loadMirrored(context, get, id),
    actionsOn(context, target),
    context.account ?? knownAccountOf(context, target),
  ])
  const knownAccount = indexed ?? kept?.account ?? null
  const record = kept ?? (await load(context, get, { id } as Input<K>))
  if (!record.ok) return { id, knownAccount, initialActions, initialError: { error: record.error, requestId: record.requestId } }
  return { id, knownAccount, initialActions, initial: { data: record.data, meta: record.meta, replayed: false } }
}

/** A record as a page, as high as the window. */
export const RecordPage = ({ context, children }: { context: PageContext; children: ReactNode }) => (
  <PageContextProvider context={context}>
    <div className="relative -mx-4 -mb-12 h-[calc(100dvh-3.25rem)] overflow-y-auto lg:-mx-6 print:h-auto print:overflow-visible">
      {children}
    </div>
  </PageContextProvider>
)
