import type { Metadata } from 'next'
import { type ObjectPageProps, openObjectPage } from '@/app/_pages/own-page'
import { loadRecord, RecordPage } from '@/app/_pages/record'
import { InQueue, startQueue } from '@/app/_pages/record-queue'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { paymentLists, paymentName } from '@/components/payments/list/lists'
import { PayoutPanel, PayoutPrefetch } from '@/components/payments/record/panels'
import type { PaymentSummary } from '@/lib/operations/payments.schema'

export const metadata: Metadata = { title: 'Payout' }

export default async function PayoutPage(props: ObjectPageProps) {
  const page = await openObjectPage(props, 'payouts')
  const { context, id } = page
  if (mustChooseAccount(context)) return <ChooseAccount context={context} path="/payouts" many="payouts" />
  const toRowLabel = (payment: PaymentSummary) => paymentName(payment, context.amountUnit)
  const queue = startQueue(page, { resource: 'payouts', spec: paymentLists.payout, nameOf: toRowLabel })
  const payout = await loadRecord(context, 'payouts.get', id)
  return (
    <RecordPage context={context}>
      <InQueue id={id} reading={queue} Prefetch={PayoutPrefetch}>
        <PayoutPanel {...payout} />
      </InQueue>
    </RecordPage>
  )
}
