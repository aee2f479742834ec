import type { Metadata } from 'next'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { NewPaymentLink } from '@/components/payments/new-payment-link'
import { paymentLists } from '@/components/payments/payment-lists'
import { rowOf } from '@/components/payments/payment-row'
import { ChargeSplit, ChargeTable } from '@/components/payments/payment-tables'
import { learnAccountsOf } from '@/lib/server/account-sweep'

export const metadata: Metadata = { title: 'Charges' }

const page = (props: ListPageProps) =>
  listPage(props, {
    spec: paymentLists.charge,
    rowOf,
    Table: ChargeTable,
    Split: ChargeSplit,
    learns: (payment) => `charges/${payment.id}`,
    sweep: async (desk, view) => (view.tab.queue ? learnAccountsOf(desk, 'held charges') : undefined),
    actions: () => <NewPaymentLink kind="charge" />,
  })

export default page
