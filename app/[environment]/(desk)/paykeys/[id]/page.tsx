import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { loadRecord, RecordPage } from '@/app/_pages/record'
import { RecordQueueFrame, startQueueRead } from '@/app/_pages/record-queue'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { paykeyList } from '@/components/paykeys/list/list'
import { PaykeyPanel, PaykeyPrefetch } from '@/components/paykeys/record/panel'
import { formatBankAccount } from '@/lib/features/paykeys/labels'

export const metadata: Metadata = { title: 'Paykey' }

export default async function PaykeyPage(props: ObjectPageProps) {
  const paykeyPage = await prepareObjectPage(props, 'paykeys')
  const { context, id } = paykeyPage
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/paykeys" many="paykeys" />
  const queuePromise = startQueueRead(paykeyPage, {
    resource: 'paykeys',
    spec: paykeyList,
    nameOf: formatBankAccount,
  })
  const paykey = await loadRecord(context, 'paykeys.get', id)
  return (
    <RecordPage context={context}>
      <RecordQueueFrame id={id} reading={queuePromise} Prefetch={PaykeyPrefetch}>
        <PaykeyPanel {...paykey} />
      </RecordQueueFrame>
    </RecordPage>
  )
}
