import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { EditLinkedAccountView } from '@/components/accounts/pages'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Correct a linked bank account' }

export default async function EditLinkedBankAccountPage(props: ObjectPageProps) {
  const { context, id } = await prepareObjectPage(props, 'linked_bank_accounts', '/edit')
  if (mustChooseAccount(context))
    return (
      <ChooseAccount
        context={context}
        path={`/linked-bank-accounts/${id}/edit`}
        many="linked bank accounts"
      />
    )
  return (
    <PageContextProvider context={context}>
      <EditLinkedAccountView id={id} />
    </PageContextProvider>
  )
}
