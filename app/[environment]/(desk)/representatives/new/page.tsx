import type { Metadata } from 'next'
import { type PageProps, prepareFormPage } from '@/app/_pages/open-page'
import { NewRepresentativeView } from '@/components/accounts/pages'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'New representative' }

export default async function NewRepresentativePage(props: PageProps) {
  const { context } = await prepareFormPage(props, '/representatives/new')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/representatives/new" many="representatives" />
  return (
    <PageContextProvider context={context}>
      <NewRepresentativeView />
    </PageContextProvider>
  )
}
