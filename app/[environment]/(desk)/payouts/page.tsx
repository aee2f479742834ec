import type { Metadata } from 'next'
import { ListPage, prepareListPage, startListReads } from '@/app/_pages/list'
import type { PageProps } from '@/app/_pages/open-page'
import { loadPayments } from '@/app/_pages/payment-list'
import { ChooseAccount, mustChooseAccount } from '@/components/kits/record/choose-account'
import { paymentLists } from '@/components/payments/list/lists'
import { NewPaymentLink, PayoutSplitView, PayoutTable } from '@/components/payments/list/tables'

export const metadata: Metadata = { title: 'Payouts' }

const listSpec = paymentLists.payout

export default async function PayoutsPage(props: PageProps) {
  const { context, view, open } = await prepareListPage(props, listSpec)
  if (mustChooseAccount(context))
    return <ChooseAccount context={context} path="/payouts" many="payouts" />
  const { reading, counts } = startListReads(context, listSpec, view)
  const paymentsRead = await loadPayments(context, reading)
  return (
    <ListPage
      context={context}
      open={open}
      spec={listSpec}
      view={view}
      read={paymentsRead}
      counts={counts}
      Table={PayoutTable}
      Split={PayoutSplitView}
    >
      <NewPaymentLink kind="payout" />
    </ListPage>
  )
}
