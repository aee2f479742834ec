import type { Metadata } from 'next'
import Link from 'next/link'
import { type ListPageProps, listPage } from '@/app/_pages/list-page'
import { customerList } from '@/components/customers/customer-list'
import { rowOf } from '@/components/customers/customer-row'
import { CustomerSplit, CustomerTable } from '@/components/customers/customer-table'
import { buttonVariants } from '@/components/ui/button-variants'
import { newPath } from '@/lib/routes'
import { learnAccountsOf } from '@/lib/server/account-sweep'

export const metadata: Metadata = { title: 'Customers' }

const page = (props: ListPageProps) =>
  listPage(props, {
    spec: customerList,
    rowOf,
    Table: CustomerTable,
    Split: CustomerSplit,
    learns: (customer) => `customers/${customer.id}`,
    sweep: async (desk, view) => (view.tab.queue ? learnAccountsOf(desk, 'customers to decide') : undefined),
    actions: (desk) => (
      <Link href={newPath(desk.environment, 'customers', { account: desk.account })} className={buttonVariants({ size: 'small' })}>
        New customer
      </Link>
    ),
  })

export default page
