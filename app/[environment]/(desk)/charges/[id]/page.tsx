import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { loadRecord, RecordPage, redirectToPaymentKind } from '@/app/_pages/record'
import { RecordQueueFrame, startQueueRead } from '@/app/_pages/record-queue'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { formatPaymentName, paymentLists } from '@/components/payments/list/lists'
import { ChargePanel, ChargePrefetch } from '@/components/payments/record/panels'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

export const metadata: Metadata = { title: 'Charge' }

export default async function ChargePage(props: ObjectPageProps) {
  const chargePage = await prepareObjectPage(props, 'charges')
  const { context, id } = chargePage
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/charges" many="charges" />
  const toRowLabel = (payment: PaymentSummary) => formatPaymentName(payment, context.amountUnit)
  const queuePromise = startQueueRead(chargePage, {
    resource: 'charges',
    spec: paymentLists.charge,
    nameOf: toRowLabel,
  })
  const charge = await loadRecord(context, 'charges.get', id)
  await redirectToPaymentKind(context, 'charge', charge)
  return (
    <RecordPage context={context}>
      <RecordQueueFrame id={id} reading={queuePromise} Prefetch={ChargePrefetch}>
        <ChargePanel {...charge} />
      </RecordQueueFrame>
    </RecordPage>
  )
}
