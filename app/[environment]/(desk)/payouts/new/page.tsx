import type { Metadata } from 'next'
import { type PageProps, prepareFormPage } from '@/app/_pages/open-page'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { NewPayment } from '@/components/payments/forms/new-payment'
import { addAllAccounts } from '@/lib/server/http/account-choices'

export const metadata: Metadata = { title: 'New payout' }

export default async function NewPayoutPage(props: PageProps) {
  const { context } = await prepareFormPage(props, '/payouts/new')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/payouts/new" many="payouts" />
  return (
    <PageContextProvider
      context={context.account === null ? await addAllAccounts(context) : context}
    >
      <NewPayment kind="payout" />
    </PageContextProvider>
  )
}
