import type { Metadata } from 'next'
import { type ObjectPageProps, prepareObjectPage } from '@/app/_pages/open-page'
import { loadRecord, RecordPage, redirectToPaymentKind } from '@/app/_pages/record'
import { RecordQueueFrame, startQueueRead } from '@/app/_pages/record-queue'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { formatPaymentName, paymentLists } from '@/components/payments/list/lists'
import { PayoutPanel, PayoutPrefetch } from '@/components/payments/record/panels'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

export const metadata: Metadata = { title: 'Payout' }

export default async function PayoutPage(props: ObjectPageProps) {
  const payoutPage = await prepareObjectPage(props, 'payouts')
  const { context, id } = payoutPage
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/payouts" many="payouts" />
  const toRowLabel = (payment: PaymentSummary) => formatPaymentName(payment, context.amountUnit)
  const queuePromise = startQueueRead(payoutPage, {
    resource: 'payouts',
    spec: paymentLists.payout,
    nameOf: toRowLabel,
  })
  const payout = await loadRecord(context, 'payouts.get', id)
  await redirectToPaymentKind(context, 'payout', payout)
  return (
    <RecordPage context={context}>
      <RecordQueueFrame id={id} reading={queuePromise} Prefetch={PayoutPrefetch}>
        <PayoutPanel {...payout} />
      </RecordQueueFrame>
    </RecordPage>
  )
}
