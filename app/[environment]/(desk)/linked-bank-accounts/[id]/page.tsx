import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { loadRecord, RecordPage } from '@/app/_pages/record'
import { LinkedPanel } from '@/components/accounts/linked-bank-accounts/record/panel'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Linked bank account' }

export default async function LinkedBankAccountPage(props: ObjectPageProps) {
  const { context, id } = await prepareObjectPage(props, 'linked_bank_accounts')
  if (mustChooseAccount(context))
    return (
      <ChooseAccount context={context} path="/linked-bank-accounts" many="linked bank accounts" />
    )
  const linkedAccount = await loadRecord(context, 'linked_bank_accounts.get', id)
  return (
    <RecordPage context={context}>
      <LinkedPanel {...linkedAccount} />
    </RecordPage>
  )
}
