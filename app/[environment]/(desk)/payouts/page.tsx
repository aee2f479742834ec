import type { Metadata } from 'next'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { payoutList } from '@/components/payments/payout-list'
import { rowOf } from '@/components/payments/payout-row'
import { PayoutSplit, PayoutTable } from '@/components/payments/payout-table'
import { learnAccountsOf } from '@/lib/server/account-sweep'

export const metadata: Metadata = { title: 'Payouts' }

const page = (props: ListPageProps) =>
  listPage(props, {
    spec: payoutList,
    rowOf,
    Table: PayoutTable,
    Split: PayoutSplit,
    learns: (payment) => `payouts/${payment.id}`,
    sweep: async (desk, view) => (view.tab.queue ? learnAccountsOf(desk, 'held payouts') : undefined),
  })

export default page
