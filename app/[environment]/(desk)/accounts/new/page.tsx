import type { Metadata } from 'next'
import { type PageProps, prepareFormPage, requirePlatform } from '@/app/_pages/open-page'
import { NewAccountView } from '@/components/accounts/pages'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'New account' }

export default async function NewAccountPage(props: PageProps) {
  const { context, search } = await prepareFormPage(props, '/accounts/new')
  requirePlatform(context)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/accounts/new" many="accounts" />
  const { organization } = search
  return (
    <PageContextProvider context={context}>
      <NewAccountView organization={typeof organization === 'string' ? organization : null} />
    </PageContextProvider>
  )
}
