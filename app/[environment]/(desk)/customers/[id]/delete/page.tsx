import type { Metadata } from 'next'
import { type CustomerPageProps, CustomerUnread, customerPage } from '@/app/_pages/customer-page'
import { DeleteCustomer } from '@/components/deletions/delete-customer'
import type { Customer } from '@/lib/operations/customers.schema'
import type { Desk } from '@/lib/operations/desk'
import { deleteCustomerPath } from '@/lib/routes'
import { actionsOn } from '@/lib/server/action-list'
import { readImpact, requestsFor } from '@/lib/server/deletion-page'
import { load } from '@/lib/server/read'

export const metadata: Metadata = { title: 'Delete a customer' }

/** What is shown of a customer that is there. */
async function there(desk: Desk & { account: string }, { data, meta }: { data: Customer; meta: { snapshot?: string } }) {
  return { customer: data, snapshot: meta.snapshot, impact: await readImpact(desk, data.id) }
}

const page = (props: CustomerPageProps) =>
  customerPage(props, deleteCustomerPath, async (desk, id) => {
    const [read, requests, actions] = await Promise.all([
      load(desk, 'customers.get', { id }),
      requestsFor(desk, id),
      actionsOn(desk, `customers/${id}`),
    ])
    if (!read.ok && read.error.code !== 'service_not_found') return <CustomerUnread error={read.error} requestId={read.requestId} />
    const found = read.ok ? await there(desk, read) : null
    return <DeleteCustomer id={id} account={desk.account} found={found} request={requests[0] ?? null} actions={actions} />
  })

export default page
