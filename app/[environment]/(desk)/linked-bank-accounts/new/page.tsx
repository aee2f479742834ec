import type { Metadata } from 'next'
import { type PageProps, prepareFormPage } from '@/app/_pages/open-page'
import { NewLinkedAccountView } from '@/components/accounts/pages'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Link a bank account' }

export default async function NewLinkedBankAccountPage(props: PageProps) {
  const { context } = await prepareFormPage(props, '/linked-bank-accounts/new')
  if (mustChooseAccount(context))
    return (
      <ChooseAccount
        context={context}
        path="/linked-bank-accounts/new"
        many="linked bank accounts"
      />
    )
  return (
    <PageContextProvider context={context}>
      <NewLinkedAccountView />
    </PageContextProvider>
  )
}
