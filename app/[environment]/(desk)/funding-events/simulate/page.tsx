import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { type PageProps, prepareFormPage } from '@/app/_pages/open-page'
import { SimulateFundingView } from '@/components/funding/forms/simulate-funding'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Simulate funding' }

export default async function SimulateFundingPage(props: PageProps) {
  const { context } = await prepareFormPage(props, '/funding-events/simulate')
  if (context.environment !== 'sandbox') notFound()
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/funding-events/simulate" many="funding events" />
  return (
    <PageContextProvider context={context}>
      <SimulateFundingView />
    </PageContextProvider>
  )
}
