import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ObjectPageProps } from '@/app/_pages/open-page'
import { ApprovalRequestView } from '@/components/approvals/record/panel'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { loadApprovalRequestPage } from '@/lib/features/approvals/server/requests'
import { isUuid } from '@/lib/formats'
import { approvalPath } from '@/lib/routes'
import { addAccountsByIds } from '@/lib/server/http/account-choices'
import { loadPageContext } from '@/lib/server/http/page-context'

export const metadata: Metadata = { title: 'Approval' }

export default async function ApprovalPage({ params, searchParams }: ObjectPageProps) {
  const [{ environment, id }, search] = await Promise.all([params, searchParams])
  const context = await loadPageContext(environment, search, approvalPath(environment, id))
  const approvalRequest = isUuid(id) ? await loadApprovalRequestPage(context, id) : null
  if (!approvalRequest) notFound()
  const { account } = approvalRequest.action
  return (
    <PageContextProvider context={await addAccountsByIds(context, account ? [account] : [])}>
      <ApprovalRequestView request={approvalRequest} />
    </PageContextProvider>
  )
}
