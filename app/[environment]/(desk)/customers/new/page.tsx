import type { Metadata } from 'next'
import { type PageProps, prepareFormPage } from '@/app/_pages/open-page'
import { NewCustomerView } from '@/components/customers/pages'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'New customer' }

export default async function NewCustomerPage(props: PageProps) {
  const { context } = await prepareFormPage(props, '/customers/new')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/customers/new" many="customers" />
  return (
    <PageContextProvider context={context}>
      <NewCustomerView />
    </PageContextProvider>
  )
}
