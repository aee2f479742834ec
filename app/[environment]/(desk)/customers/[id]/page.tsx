import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { loadRecord, RecordPage } from '@/app/_pages/record'
import { RecordQueueFrame, startQueueRead } from '@/app/_pages/record-queue'
import { customerList, getCustomerName } from '@/components/customers/list/list'
import { CustomerPanel, CustomerPrefetch } from '@/components/customers/record/panel'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'

export const metadata: Metadata = { title: 'Customer' }

export default async function CustomerPage(props: ObjectPageProps) {
  const customerPage = await prepareObjectPage(props, 'customers')
  const { context, id } = customerPage
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/customers" many="customers" />
  const queuePromise = startQueueRead(customerPage, {
    resource: 'customers',
    spec: customerList,
    nameOf: getCustomerName,
  })
  const customer = await loadRecord(context, 'customers.get', id)
  return (
    <RecordPage context={context}>
      <RecordQueueFrame id={id} reading={queuePromise} Prefetch={CustomerPrefetch}>
        <CustomerPanel {...customer} />
      </RecordQueueFrame>
    </RecordPage>
  )
}
