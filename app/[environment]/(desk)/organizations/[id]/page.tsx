import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage, requirePlatform } from '@/app/_pages/open-page'
import { loadRecord, RecordPage } from '@/app/_pages/record'
import { OrganizationPanel } from '@/components/accounts/organizations/record/panel'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Organization' }

export default async function OrganizationPage(props: ObjectPageProps) {
  const { context, id } = await prepareObjectPage(props, 'organizations')
  requirePlatform(context)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/organizations" many="organizations" />
  const organization = await loadRecord(context, 'organizations.get', id)
  return (
    <RecordPage context={context}>
      <OrganizationPanel {...organization} />
    </RecordPage>
  )
}
