import type { Metadata } from 'next'
import {
  type ObjectPageProps,
  prepareObjectPage,
  redirectToCustomerAccount,
} from '@/app/_pages/open-page'
import { DeleteCustomerContent } from '@/components/deletions/pages'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { belongsToPlatform } from '@/lib/client/page-context'
import { loadTargetActions } from '@/lib/features/activity/server/operations'
import { loadCustomerDeletions, readDeletionImpact } from '@/lib/features/deletions/server/page'
import { deleteCustomerPath } from '@/lib/routes'
import { loadReadForPage } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Delete a customer' }

export default async function DeleteCustomerPage(props: ObjectPageProps) {
  const deletePage = await prepareObjectPage(props, 'customers', '/delete')
  const { context, id } = deletePage
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path={`/customers/${id}/delete`} many="customers" />
  const isOfPlatform = belongsToPlatform(context, 'customers')
  const account = isOfPlatform ? null : context.account
  if (account === null && !isOfPlatform)
    return redirectToCustomerAccount(deletePage, deleteCustomerPath)
  const [read, requests, actions] = await Promise.all([
    loadReadForPage(context, 'customers.get', { id }, { live: true }),
    loadCustomerDeletions(context, id),
    loadTargetActions(context, `customers/${id}`),
  ])
  const isCustomerGone = !read.ok && read.error.code === 'service_not_found'
  if (!read.ok && !isCustomerGone) {
    return (
      <PageContextProvider context={context}>
        <ErrorNotice
          className="mt-4 max-w-2xl"
          what="The customer could not be read"
          error={read.error}
          requestId={read.requestId}
        />
      </PageContextProvider>
    )
  }
  const customerWithImpact = read.ok
    ? {
        customer: read.data,
        snapshot: read.meta.snapshot,
        impact: await readDeletionImpact({ ...context, account }, id),
      }
    : null
  return (
    <PageContextProvider context={context}>
      <DeleteCustomerContent
        id={id}
        account={account}
        found={customerWithImpact}
        request={requests[0] ?? null}
        actions={actions}
      />
    </PageContextProvider>
  )
}
