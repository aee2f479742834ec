import type { DehydratedState } from '@tanstack/react-query'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import type { OpenedRecord } from '@/components/kits/list/split'
import type { PanelProps } from '@/components/kits/record/record-panel'
import type { PaymentKind } from '@/lib/domain/payment-kind'
import { loadTargetActions } from '@/lib/features/activity/server/operations'
import type { ActionView } from '@/lib/operations/answer'
import type { PageContext } from '@/lib/operations/page-context'
import type { Input, Output } from '@/lib/operations/registry'
import {
  isRecordGet,
  type RecordGetId,
  toServiceResource,
} from '@/lib/operations/service-operations'
import { type ListResource, recordPath } from '@/lib/routes'
import { type LoadResult, loadReadForPage } from '@/lib/server/http/read'
import { lookUpVisibleAccount } from '@/lib/server/http/visible-rows'
import { buildPrefetchedRead, dehydrateReads, toReadTimeMs } from './dehydrate-reads'

type RecordReadOptions<K extends RecordGetId> = { context: PageContext; get: K; id: string }

/** Gives the record and its actions the same age, so that the browser refetches them together. */
function dehydrateRecordReads<K extends RecordGetId>(
  { context, get, id }: RecordReadOptions<K>,
  record: LoadResult<Output<K>>,
  actions: readonly ActionView[],
): DehydratedState {
  const recordRead = record.ok
    ? buildPrefetchedRead(context, get, { id } as Input<K>, record)
    : null
  const actionsAnswer = { data: actions, meta: { request_id: '' } }
  const target = `${toServiceResource(get)}/${id}`
  const actionsRead = buildPrefetchedRead(
    context,
    'actions.list',
    { target },
    actionsAnswer,
    record.ok ? toReadTimeMs(record) : Date.now(),
  )
  return dehydrateReads(recordRead ? [recordRead, actionsRead] : [actionsRead])
}

/**
 * Reads the record from the mirror (our copy of the service's objects); the browser then fetches it
 * from the service. Waits for the service only if the mirror has no copy that this person may read.
 */
export async function loadRecord<K extends RecordGetId>(
  context: PageContext,
  get: K,
  id: string,
): Promise<PanelProps> {
  const target = `${toServiceResource(get)}/${id}`
  const [record, actions, indexed] = await Promise.all([
    loadReadForPage(context, get, { id } as Input<K>),
    loadTargetActions(context, target),
    context.account ?? lookUpVisibleAccount(context, target),
  ])
  const dehydratedReads = dehydrateRecordReads({ context, get, id }, record, actions)
  if (!record.ok)
    return {
      id,
      knownAccount: indexed,
      reads: dehydratedReads,
      initialError: { error: record.error, requestId: record.requestId },
    }
  return { id, knownAccount: indexed ?? record.meta.accounts?.[0] ?? null, reads: dehydratedReads }
}

const notFoundCodes: readonly string[] = ['not_found', 'service_not_found']

/**
 * Redirects to the payment's own page if the URL has the id of a payout below `/charges`, or the
 * other way round.
 */
export async function redirectToPaymentKind(
  context: PageContext,
  kind: PaymentKind,
  { id, initialError }: PanelProps,
): Promise<void> {
  if (!notFoundCodes.includes(initialError?.error.code ?? '')) return
  const otherResource = kind === 'charge' ? 'payouts' : 'charges'
  const payment = await loadReadForPage(context, `${otherResource}.get`, { id }, { live: false })
  if (!payment.ok) return
  const account = payment.meta.accounts?.[0] ?? context.account
  redirect(recordPath(context, otherResource, id, { account }))
}

/** Reads only Paydesk's copy of the record. Null if there is none that this person may read. */
export async function loadSidePanelRecord(
  context: PageContext,
  resource: ListResource,
  id: string,
): Promise<OpenedRecord | null> {
  const recordGetIds = (
    resource === 'payments' ? ['payouts.get', 'charges.get'] : [`${resource}.get`]
  ).filter(isRecordGet)
  for (const get of recordGetIds) {
    const mirrorReadResult = await loadReadForPage(context, get, { id }, { live: false })
    if (!mirrorReadResult.ok) continue
    const actions = await loadTargetActions(context, `${toServiceResource(get)}/${id}`)
    return {
      get,
      id,
      knownAccount: mirrorReadResult.meta.accounts?.[0] ?? null,
      reads: dehydrateRecordReads({ context, get, id }, mirrorReadResult, actions),
    }
  }
  return null
}

export const RecordPage = ({
  context,
  children,
}: {
  context: PageContext
  children: ReactNode
}) => (
  <PageContextProvider context={context}>
    <div
      data-fits="always"
      className="relative -mx-4 -mb-12 h-[calc(100%+3rem)] overflow-y-auto lg:-mx-6 print:h-auto print:overflow-visible"
    >
      {children}
    </div>
  </PageContextProvider>
)
