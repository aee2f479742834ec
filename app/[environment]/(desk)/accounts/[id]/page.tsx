import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { loadRecord, RecordPage } from '@/app/_pages/record'
import { AccountPanel } from '@/components/accounts/record/panel'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage(props: ObjectPageProps) {
  const { context, id } = await prepareObjectPage(props, 'accounts')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/accounts" many="accounts" />
  const account = await loadRecord(context, 'accounts.get', id)
  return (
    <RecordPage context={context}>
      <AccountPanel {...account} />
    </RecordPage>
  )
}
