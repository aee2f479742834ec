import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { loadRecord, RecordPage } from '@/app/_pages/record'
import { RepresentativePanel } from '@/components/accounts/representatives/record/panel'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Representative' }

export default async function RepresentativePage(props: ObjectPageProps) {
  const { context, id } = await prepareObjectPage(props, 'representatives')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/representatives" many="representatives" />
  const representative = await loadRecord(context, 'representatives.get', id)
  return (
    <RecordPage context={context}>
      <RepresentativePanel {...representative} />
    </RecordPage>
  )
}
