import type { Metadata } from 'next'
import { type CustomerPageProps, CustomerUnread, customerPage } from '@/app/_pages/customer-page'
import { EditCustomer } from '@/components/customers/customer-pages'
import { editPath } from '@/lib/routes'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Edit customer' }

const page = (props: CustomerPageProps) =>
  customerPage(
    props,
    (environment, id, search) => editPath(environment, 'customers', id, search),
    async (desk, id) => {
      const read = await load(desk, 'customers.get', { id })
      if (!read.ok) return <CustomerUnread error={read.error} requestId={read.requestId} />
      return <EditCustomer customer={read.data} account={desk.account} snapshot={read.meta.snapshot} />
    },
  )

export default page
