import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { loadRecord, RecordPage } from '@/app/_pages/record'
import { FundingPanel } from '@/components/funding/record/panel'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Funding event' }

export default async function FundingEventPage(props: ObjectPageProps) {
  const { context, id } = await prepareObjectPage(props, 'funding_events')
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/funding-events" many="funding events" />
  const event = await loadRecord(context, 'funding_events.get', id)
  return (
    <RecordPage context={context}>
      <FundingPanel {...event} />
    </RecordPage>
  )
}
