import type { Metadata } from 'next'
import { type ObjectPageProps, prepareAccountPage } from '@/app/_pages/open-page'
import { EditAccountView } from '@/components/accounts/pages'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Edit account' }

export default async function EditAccountPage(props: ObjectPageProps) {
  const { context, id } = await prepareAccountPage(props, '/edit')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path={`/accounts/${id}/edit`} many="accounts" />
  return (
    <PageContextProvider context={context}>
      <EditAccountView id={id} />
    </PageContextProvider>
  )
}
