import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { EditRepresentativeView } from '@/components/accounts/pages'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Edit representative' }

export default async function EditRepresentativePage(props: ObjectPageProps) {
  const { context, id } = await prepareObjectPage(props, 'representatives', '/edit')
  if (mustChooseAccount(context))
    return (
      <ChooseAccount
        context={context}
        path={`/representatives/${id}/edit`}
        many="representatives"
      />
    )
  return (
    <PageContextProvider context={context}>
      <EditRepresentativeView id={id} />
    </PageContextProvider>
  )
}
