import type { Metadata } from 'next'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { NewPaymentLink } from '@/components/payments/new-payment-link'
import { paymentLists } from '@/components/payments/payment-lists'
import { rowOf } from '@/components/payments/payment-row'
import { PayoutSplit, PayoutTable } from '@/components/payments/payment-tables'
import { learnAccountsOf } from '@/lib/server/account-sweep'

export const metadata: Metadata = { title: 'Payouts' }

const page = (props: ListPageProps) =>
  listPage(props, {
    spec: paymentLists.payout,
    rowOf,
    Table: PayoutTable,
    Split: PayoutSplit,
    learns: (payment) => `payouts/${payment.id}`,
    sweep: async (desk, view) => (view.tab.queue ? learnAccountsOf(desk, 'held payouts') : undefined),
    actions: () => <NewPaymentLink kind="payout" />,
  })

export default page
