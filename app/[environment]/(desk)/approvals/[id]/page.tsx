import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DeletionEvidence } from '@/app/_pages/deletion-evidence'
import type { ObjectPageProps } from '@/app/_pages/open-page'
import { RequestedRecord } from '@/app/_pages/requested-record'
import { ApprovalRequestView } from '@/components/approvals/record/panel'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ProofDocuments } from '@/components/payments/documents/proof-documents'
import { formatRequestTitle } from '@/lib/features/approvals/labels'
import {
  loadApprovalRequestPage,
  loadApprovalRequests,
} from '@/lib/features/approvals/server/requests'
import { isUuid } from '@/lib/formats'
import type { PageContext } from '@/lib/operations/page-context'
import { approvalPath } from '@/lib/routes'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadObjectPageContext, loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Approval' }

/** The next request that the person can decide, soonest to expire first. */
async function findNextRequest(context: PageContext, id: string) {
  const waitingRequests = await loadApprovalRequests(context, 'waiting')
  const nextRequest = waitingRequests.find(
    ({ action, disabled_reason }) => action.id !== id && disabled_reason === null,
  )
  return nextRequest
    ? {
        id: nextRequest.action.id,
        title: formatRequestTitle(nextRequest.action, nextRequest.amount),
      }
    : null
}

export default async function ApprovalPage({ params, searchParams }: ObjectPageProps) {
  const [{ environment, id }, search] = await Promise.all([params, searchParams])
  const path = approvalPath(environment, id)
  const context = await loadPageContext(environment, search, path)
  const approvalRequest = isUuid(id) ? await loadApprovalRequestPage(context, id) : null
  if (!approvalRequest) notFound()
  const { account, target, operation } = approvalRequest.action
  const [next, recordContext] = await Promise.all([
    findNextRequest(context, id),
    loadObjectPageContext(environment, search, path, target),
  ])
  const contextOfRecord = await addAccountsByIds(recordContext, account ? [account] : [])
  return (
    <PageContextProvider context={contextOfRecord}>
      <ApprovalRequestView key={id} request={approvalRequest} next={next}>
        {operation === 'customers.delete' && target && (
          <DeletionEvidence context={contextOfRecord} customerId={target.split('/')[1] ?? ''} />
        )}
        <ProofDocuments payment={target} />
        <RequestedRecord context={contextOfRecord} request={approvalRequest} />
      </ApprovalRequestView>
    </PageContextProvider>
  )
}
