import type { Metadata } from 'next'
import { type PageProps, prepareFormPage } from '@/app/_pages/open-page'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { NewPayment } from '@/components/payments/forms/new-payment'
import { addAllAccounts } from '@/lib/server/http/account-choices'

export const metadata: Metadata = { title: 'New charge' }

export default async function NewChargePage(props: PageProps) {
  const { context } = await prepareFormPage(props, '/charges/new')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/charges/new" many="charges" />
  return (
    <PageContextProvider
      context={context.account === null ? await addAllAccounts(context) : context}
    >
      <NewPayment kind="charge" />
    </PageContextProvider>
  )
}
