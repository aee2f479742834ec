import type { Metadata } from 'next'
import { type PageProps, prepareFormPage, requirePlatform } from '@/app/_pages/open-page'
import { NewOrganizationView } from '@/components/accounts/pages'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'New organization' }

export default async function NewOrganizationPage(props: PageProps) {
  const { context } = await prepareFormPage(props, '/organizations/new')
  requirePlatform(context)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/organizations/new" many="organizations" />
  return (
    <PageContextProvider context={context}>
      <NewOrganizationView />
    </PageContextProvider>
  )
}
