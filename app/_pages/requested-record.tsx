import type { ApprovalDetail } from '@/lib/operations/approvals'
import type { PageContext } from '@/lib/operations/page-context'
import { isRecordGet } from '@/lib/operations/service-operations'
import { type LazyPanelResource, LazyRecordPanel } from './lazy-record-panel'
import { loadRecord } from './record'

const panelResources: readonly LazyPanelResource[] = [
  'payouts',
  'charges',
  'paykeys',
  'customers',
  'accounts',
]

/** The target of the request. A new payment has none, so its bank account is shown. */
function findRecord({ action, sent }: ApprovalDetail): { resource: string; id: string } | null {
  const [resource, id] = action.target?.split('/') ?? []
  if (resource && id) return { resource, id }
  const paykeyId = sent.find(({ name }) => name === 'paykey_id')?.value
  return paykeyId ? { resource: 'paykeys', id: paykeyId } : null
}

type RequestedRecordProps = { context: PageContext; request: ApprovalDetail }

/** The record that an approval is about, with its checks, documents and history. */
export async function RequestedRecord({ context, request }: RequestedRecordProps) {
  const found = findRecord(request)
  const resource = panelResources.find((each) => each === found?.resource)
  const get = `${resource}.get`
  if (!found || !resource || !isRecordGet(get)) return null
  return <LazyRecordPanel resource={resource} {...(await loadRecord(context, get, found.id))} />
}
