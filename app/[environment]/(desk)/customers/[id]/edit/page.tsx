import type { Metadata } from 'next'
import {
  type ObjectPageProps,
  prepareObjectPage,
  redirectToCustomerAccount,
} from '@/app/_pages/open-page'
import { EditCustomerView } from '@/components/customers/pages'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { belongsToPlatform } from '@/lib/client/page-context'
import { editRecordPath } from '@/lib/routes'
import { loadReadForPage } from '@/lib/server/http/read'

export const metadata: Metadata = { title: 'Edit customer' }

export default async function EditCustomerPage(props: ObjectPageProps) {
  const editPage = await prepareObjectPage(props, 'customers', '/edit')
  const { context, id } = editPage
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path={`/customers/${id}/edit`} many="customers" />
  const isOfPlatform = belongsToPlatform(context, 'customers')
  const account = isOfPlatform ? null : context.account
  if (account === null && !isOfPlatform)
    return redirectToCustomerAccount(editPage, (place, customer, search) =>
      editRecordPath(place, 'customers', customer, search),
    )
  const customerRead = await loadReadForPage(context, 'customers.get', { id }, { live: true })
  return (
    <PageContextProvider context={context}>
      {customerRead.ok ? (
        <EditCustomerView
          customer={customerRead.data}
          account={account}
          snapshot={customerRead.meta.snapshot}
          readAt={customerRead.meta.read_at}
        />
      ) : (
        <ErrorNotice
          className="mt-4 max-w-2xl"
          what="The customer could not be read"
          error={customerRead.error}
          requestId={customerRead.requestId}
        />
      )}
    </PageContextProvider>
  )
}
